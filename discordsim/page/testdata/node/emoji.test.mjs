import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isDrawn } from "../../page/drawings.mjs";
import { emojiName, splitEmoji } from "../../page/emoji.mjs";

const repository = new URL("../../../../", import.meta.url);
const used = (file) => splitEmoji(readFileSync(new URL(file, repository), "utf8")).filter((_, i) => i % 2);

test("every emoji that the bot and the page write has a picture and Discord's name, since a machine may have no font for it", () => {
  const all = ["internal/show/locale/texts/en.json", "internal/show/emoji/set.go", "internal/show/view/share.go", "bot/answer.go", "bot/dispatcher.go", "discordsim/page/page/message.mjs"].flatMap(used);
  assert.ok(all.length > 20, `found only ${all}`);
  for (const emoji of new Set([...all, "◀", "▶"])) {
    assert.ok(isDrawn(emoji), `draw ${emoji} in drawings.mjs`);
    assert.match(emojiName(emoji), /^[a-z0-9_]+$/, `name ${emoji} in emoji.mjs as Discord does`);
  }
});
