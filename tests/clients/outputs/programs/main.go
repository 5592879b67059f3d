// Reads a server that has grown, with the Go client of openapi-generator. Usage: URL GAME.
package main

import (
	"context"
	"fmt"
	"os"

	darbar "darbar/client"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	url, id := os.Args[1], os.Args[2]
	configuration := darbar.NewConfiguration()
	configuration.Servers = darbar.ServerConfigurations{{URL: url}}
	client := darbar.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), darbar.ContextAccessToken, "any")
	page, _, err := client.PlayAPI.ListEvents(ctx, id).Execute()
	must(err)
	for _, line := range page.Results {
		if other := line.Event.AnyEvent; other != nil {
			fmt.Print(other.Type, " ")
		}
	}
	fmt.Println()
	game, _, err := client.GamesAPI.GetGame(ctx, id).Execute()
	must(err)
	fmt.Println(game.Rules, game.State, len(game.Seats))
	view, _, err := client.PlayAPI.GetView(ctx, id).Execute()
	must(err)
	fmt.Println(view.AnyView.Rules)
	asked, _, err := client.PlayAPI.ListQuestions(ctx).Execute()
	must(err)
	for _, question := range asked.Results {
		for _, answer := range question.Moves {
			if other := answer.Move.AnyMove; other != nil {
				fmt.Print(other.Type, " ")
			}
		}
	}
	fmt.Println()
	games, _, err := client.RulesAPI.ListRules(ctx).Execute()
	must(err)
	for _, each := range games.Results {
		fmt.Print(each.Name, " ")
	}
	fmt.Println()
	_, _, err = client.GamesAPI.JoinGame(ctx, id).JoinRequest(darbar.JoinRequest{}).Execute()
	refused, ok := err.(*darbar.GenericOpenAPIError)
	if !ok {
		panic(err)
	}
	problem, ok := refused.Model().(darbar.Problem)
	if !ok {
		panic(refused)
	}
	fmt.Println(problem.Code)
}
