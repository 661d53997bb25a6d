/* What the others at a table call this visitor; the browser remembers it. */
import { fetchStored, store } from "../game/storage";

/* So short that the server takes it in any script: at most 3 bytes for each. */
export const LONGEST_NAME = 20;

const stored = fetchStored("name");

class Visitor {
  private text = $state(typeof stored === "string" ? stored.slice(0, LONGEST_NAME) : "");

  /* As it is typed. */
  get name(): string {
    return this.text;
  }
  set name(name: string) {
    this.text = name;
    store("name", name);
  }
}

export const visitor = new Visitor();
