-- +goose Up

-- A click forgives that Discord has refused to draw its board. An index that only refused boards are in costs a click nothing.
DROP INDEX boards_guild;
CREATE INDEX boards_guild ON boards (guild);
CREATE INDEX boards_refused ON boards (guild, refused) WHERE refused > 0;
