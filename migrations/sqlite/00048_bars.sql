-- +goose Up

-- bars holds who may not play where. The hash of an erased player is in place of the id, as in blocks.
CREATE TABLE bars (
  venue  TEXT NOT NULL,                          -- empty: everywhere, by the host of the bot
  player TEXT NOT NULL CHECK (player <> 'left'), -- empty: everybody in the venue, by the host of the bot
  until  INTEGER,                                -- null: for good
  PRIMARY KEY (venue, player),
  CHECK (venue <> '' OR player <> '')
) STRICT, WITHOUT ROWID;

CREATE INDEX bars_of    ON bars (player);
CREATE INDEX bars_until ON bars (until) WHERE until IS NOT NULL;
