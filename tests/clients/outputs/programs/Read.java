// Reads a server that has grown, with the Java client of openapi-generator. Usage: URL GAME.

import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Read {
    public static void main(String[] arguments) throws Exception {
        UUID id = UUID.fromString(arguments[1]);
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        PlayApi play = new PlayApi(client);
        for (ShownEvent line : play.listEvents(id, null, null, null).getResults())
            if (line.getEvent().getActualInstance() instanceof AnyEvent other) System.out.print(other.getType() + " ");
        System.out.println();
        Game game = new GamesApi(client).getGame(id, null);
        Object state = game.getState();
        System.out.println(game.getRules() + " " + state + " " + game.getSeats().size());
        System.out.println(((AnyView) play.getView(id, null).getActualInstance()).getRules());
        for (Question question : play.listQuestions(null, null).getResults())
            for (Answer answer : question.getMoves())
                if (answer.getMove().getActualInstance() instanceof AnyMove other) System.out.print(other.getType() + " ");
        System.out.println();
        for (Rules each : new RulesApi(client).listRules(null).getResults()) System.out.print(each.getName() + " ");
        System.out.println();
        try {
            new GamesApi(client).joinGame(id, null, new JoinRequest());
        } catch (ApiException error) {
            Problem problem = client.getObjectMapper().readValue(error.getResponseBody(), Problem.class);
            System.out.println(problem.getCode());
        }
    }
}
