-- +goose Up

-- The language in which the board is drawn when nobody has clicked, as Discord names it; empty where it is not known.
ALTER TABLE boards ADD COLUMN locale TEXT NOT NULL DEFAULT '';
-- How often in a row Discord has refused to let the bot draw there.
ALTER TABLE boards ADD COLUMN refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0);
-- The message that showed the board before it was moved, until that says so; empty without one.
ALTER TABLE boards ADD COLUMN past_channel TEXT NOT NULL DEFAULT '';
ALTER TABLE boards ADD COLUMN past_message TEXT NOT NULL DEFAULT '';

-- What a server does concerns all boards in it. A message never leaves its server, so a click does not touch this.
CREATE INDEX boards_guild ON boards (guild, refused);

-- A chain of rematches is counted, not read: the index holds all that it takes.
DROP INDEX matches_series;
CREATE INDEX matches_series ON matches (series, x_player, x_level, o_player, o_level, outcome, cause, ended) WHERE ended IS NOT NULL;
