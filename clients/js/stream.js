// Reads messages of the event stream (server-sent events).

export class MessageReader {
    constructor(last = "") {
        this.last = last;
        this.interrupt();
    }

    /** Discards an incomplete message. */
    interrupt() {
        this.kind = "message";
        this.id = "";
        this.data = [];
        this.rest = "";
    }

    /** Yields the messages that are complete after this piece of the stream. */
    *read(text) {
        const lines = (this.rest + text).split("\n");
        this.rest = lines.pop();
        for (const line of lines) {
            if (line !== "") {
                this.#readField(line);
            } else if (this.data.length) {
                this.last = this.id || this.last;
                yield { kind: this.kind, data: JSON.parse(this.data.join("\n")), id: this.last };
                const { rest } = this;
                this.interrupt();
                this.rest = rest;
            }
        }
    }

    #readField(line) {
        const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
        if (name === "event") this.kind = value;
        else if (name === "data") this.data.push(value);
        else if (name === "id") this.id = value;
    }
}
