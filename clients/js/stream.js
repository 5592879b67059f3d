// Messages of the event stream, put together line by line (server-sent events).

export class MessageReader {
    constructor(last = "") {
        this.last = last;
        this.interrupt();
    }

    /** Forgets a message that was cut off. */
    interrupt() {
        this.kind = "message";
        this.id = "";
        this.data = [];
        this.rest = "";
    }

    /** The messages that a piece of the stream ends. */
    *read(text) {
        const lines = (this.rest + text).split("\n");
        this.rest = lines.pop();
        for (const line of lines) {
            if (line !== "") {
                this.#take(line);
            } else if (this.data.length) {
                this.last = this.id || this.last;
                yield { kind: this.kind, data: JSON.parse(this.data.join("\n")), id: this.last };
                const { rest } = this;
                this.interrupt();
                this.rest = rest;
            }
        }
    }

    #take(line) {
        const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
        if (name === "event") this.kind = value;
        else if (name === "data") this.data.push(value);
        else if (name === "id") this.id = value;
    }
}
