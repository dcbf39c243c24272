// Names of moves and titles of pictures in the language of a page, as in retrosolve.languages.phrases.
import { fill } from "./film-model.js";

const TURN = /^(.*?),? (\w+) to move$/;
const RUN = /[a-z]{3,}(?: [a-z]{2,})*/g;

// Functions from a name of a move and from a title to what a reader is told; words has the words and the
// patterns of the language, and its digits.
export function phrases({ words, patterns, turn, comma, digits }) {
  const looks = patterns.map(([pattern, said]) => [new RegExp(`^(?:${pattern})$`, "u"), said]);
  const written = (text) => text.replace(/\d/g, (digit) => digits[digit]);

  function phrase(text) {
    if (Object.hasOwn(words, text)) return words[text];
    for (const [pattern, said] of looks) {
      const match = pattern.exec(text);
      if (!match) continue;
      const parts = Object.entries(match.groups).map(([name, part]) => [name, name === "number" ? written(part) : phrase(part)]);
      return fill(said, Object.fromEntries(parts));
    }
    return text;
  }

  function title(text) {
    const [, name, rest] = /^(.*?): (.*)$/su.exec(text) ?? [];
    if (name === undefined) return phrase(text);
    const [, placed, player] = TURN.exec(rest) ?? [];
    const said = (player === undefined ? rest : placed).replace(RUN, phrase);
    return `${phrase(name)}: ${said}${player === undefined ? "" : comma + fill(turn, { player: phrase(player) })}`;
  }

  return { phrase, title };
}
