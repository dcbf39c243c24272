// The film of the algorithm: its events in order, what is known after some of them, and the words.

// Put values in the places of a sentence: "{name} has no move" with { name: "a" }.
export function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (place, key) => String(values[key] ?? place));
}

export class Film {
  // data is what /api/games/NAME/film answers.
  constructor(data) {
    this.names = data.trace.names;
    this.successors = data.trace.successors;
    this.owner = data.trace.owner;
    this.start = data.trace.start;
    this.words = data.words;
    this.signs = data.signs;
    this.levels = data.trace.levels;
    this.events = [];
    this.ends = [0]; // the number of events up to each level
    this.levels.forEach((level, number) => {
      for (const [rule, vertex, target, open, value, remoteness] of level.events) {
        this.events.push({ rule, vertex, target, open, value, remoteness, level: number });
      }
      this.ends.push(this.events.length);
    });
    this.stops = [...new Set(this.ends)];
    this.drawn = new Set();
    for (const event of this.events) if (event.rule === "draw") this.drawn.add(event.vertex);
    this.reset();
  }

  reset() {
    this.step = 0;
    this.outcomes = this.names.map(() => null);
    this.open = this.successors.map((row) => row.length);
  }

  // Go to the state after a number of events.
  seek(step) {
    if (step < this.step) this.reset();
    for (; this.step < step; this.step += 1) {
      const event = this.events[this.step];
      this.open[event.vertex] = event.open;
      if (event.value) this.outcomes[event.vertex] = event;
    }
  }

  // The last event, null before the first.
  get current() {
    return this.step ? this.events[this.step - 1] : null;
  }

  // The number of the level of the last event; before the first, that of a level without events, or -1.
  get level() {
    if (this.current) return this.current.level;
    return this.levels[0].events.length ? -1 : 0;
  }

  // The moves that an event rests on, as pairs of positions.
  moves(event) {
    const targets = [...new Set(this.successors[event.vertex])];
    if (event.rule === "loss") return targets.map((target) => [event.vertex, target]);
    if (event.rule === "draw") {
      return targets.filter((target) => this.drawn.has(target)).map((target) => [event.vertex, target]);
    }
    return event.target === null ? [] : [[event.vertex, event.target]];
  }

  heading(number) {
    const level = this.levels[number];
    const values = { level: this.number(level.remoteness), previous: this.number(level.remoteness - 1) };
    return fill(this.words.headings[level.phase], values);
  }

  outcome(event) {
    return fill(this.words.outcomes[event.value], { remoteness: this.number(event.remoteness) });
  }

  sentence(event) {
    return fill(this.words.sentences[this.key(event)], {
      name: this.names[event.vertex],
      target: event.target === null ? "" : this.names[event.target],
      outcome: event.value ? this.outcome(event) : "",
      moves: this.moves(event).map(([, target]) => this.names[target]).join(this.words.separator),
      open: this.number(event.open),
      total: this.number(this.successors[event.vertex].length),
    });
  }

  // Which of the sentences says what an event does.
  key(event) {
    if (event.rule === "loss") return this.owner ? "loss-owned" : "loss";
    const about = event.rule === "win" || event.rule === "refuted";
    const same = about && this.owner && this.owner[event.vertex] === this.owner[event.target];
    return same ? `${event.rule}-same` : event.rule;
  }

  // The last event, or all of its level.
  recent(together) {
    if (!this.current) return [];
    return together ? this.events.slice(this.ends[this.level], this.step) : [this.current];
  }

  // A number as the reader writes it.
  number(value) {
    return String(value).replace(/[\d,]/g, (sign) => this.words.digits["0123456789,".indexOf(sign)]);
  }

  // A number in groups of thousands.
  count(value) {
    return this.number(String(value).replace(/\B(?=(\d{3})+$)/g, ","));
  }

  // How many positions have each value so far.
  counts() {
    const found = { win: 0, loss: 0, tie: 0, draw: 0, open: 0 };
    this.outcomes.forEach((outcome, vertex) => {
      if (this.names[vertex] !== "") found[outcome ? outcome.value : "open"] += 1;
    });
    return found;
  }
}
