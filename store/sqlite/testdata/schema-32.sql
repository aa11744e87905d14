-- The rows of a database that commit 39a184c5 has made, with rows in every table of migrations/sqlite/00032_schema.sql.

PRAGMA application_id = 0x5454546f;

CREATE TABLE goose_db_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')));
INSERT INTO asides (board, player, token, message, expires) VALUES ('m-second', 'bob', 'token', '@original', 1772367300000);
INSERT INTO back_offs (player, challenger, weight, until) VALUES ('bob', 'alice', 2, 1772367000000);
INSERT INTO blocks (player, blocked) VALUES
  ('alice', 'mallory'),
  ('carol', 'veiled:28435ff57b995f2547be2152d3377becc93795b5b360368e575a3b520eb7bfc6');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused,
    past_channel, past_message, edit) VALUES
  ('c-declined', 'home', 'c', 'mc-declined', 't', 1772366460000, 1, 0, 2, 0, '', '', 0, '', '', ''),
  ('c-expired', 'home', 'c', 'mc-expired', 't', 1772366460000, 1, 0, 2, 0, '', '', 0, '', '', ''),
  ('c-pending', 'home', 'c', 'mc-pending', 't', 1772366460000, 1, 0, 1, 0, '', 'de', 2, '', '', ''),
  ('c-withdrawn', 'home', 'c', 'mc-withdrawn', 't', 1772366460000, 1, 0, 2, 0, '', '', 0, '', '', ''),
  ('m-aborted', 'home', 'c', 'mm-aborted', 't', 1772366460000, 0, 0, 2, 0, '', '', 0, '', '', ''),
  ('m-computer', 'home', 'c', 'mm-computer', 't', 1772366460000, 0, 0, 6, 0, '', '', 0, '', '', ''),
  ('m-drawn', 'home', 'c', 'mm-drawn', 't', 1772366460000, 0, 2147483647, 11, 0, '', '', 0, '', '', ''),
  ('m-first', 'home', 'c', 'mm-first', 't', 1772366460000, 0, 0, 10, 0, '', '', 0, '', '', ''),
  ('m-late', 'home', 'c', 'mm-late', 't', 1772366460000, 0, 0, 3, 0, '', '', 0, '', '', 'edit-of-before'),
  ('m-resigned', 'home', 'c', 'mm-resigned', 't', 1772366460000, 0, 0, 6, 0, '', '', 0, '', '', ''),
  ('m-second', 'home', 'c', 'mm-second', 't', 1772366460000, 0, 3, 3, 3, 'mention', 'en-US', 0, 'c', 'mm-before', ''),
  ('m-unbeatable', 'home', 'c', 'mm-unbeatable', 't', 1772366460000, 0, 0, 10, 0, '', '', 0, '', '', '');
INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual) VALUES
  ('c-declined', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'declined', 1772366400000, NULL, 2, 0),
  ('c-expired', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'expired', 1772366400000, NULL, 2, 0),
  ('c-pending', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'pending', 1772366400000, 1772366700000, 1, 1),
  ('c-withdrawn', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'withdrawn', 1772366400000, NULL, 2, 0),
  ('m-first', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'accepted', 1772366400000, NULL, 2, 0);
INSERT INTO claims (id, until) VALUES ('interaction', 1772366700000);
INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES
  (1, 'd-levels', 'home', 'carol', 1772366400000, 'levels', NULL, 'easy hard', NULL),
  (2, 'd-void', 'home', 'carol', 1772370000000, 'void', 'm-voided', '', NULL),
  (3, 'd-reset', 'elsewhere', 'carol', 1772373600000, 'reset', NULL, '', NULL),
  (4, 'd-ratings', 'home', 'carol', 1772373660000, 'ratings', NULL, 'off', NULL),
  (5, 'd-season', 'home', 'carol', 1772452900000, 'season', NULL, 'Winter''s ❄', NULL),
  (6, 'd-undo', 'home', 'carol', 1772452800000, 'undo', 'm-voided', '', 'd-void');
INSERT INTO emoji (application, id, name, hash) VALUES ('app', '5101', 'b2_x_last', '0123456789abcdef');
WITH RECURSIVE n (version) AS (VALUES (0) UNION ALL SELECT version + 1 FROM n WHERE version < 32)
  INSERT INTO goose_db_version (version_id, is_applied) SELECT version, 1 FROM n;
INSERT INTO leases (name, holder, expires) VALUES ('shard 0/1', 'somebody', 1772366430000);
INSERT INTO lessons (player, lesson, solved) VALUES
  ('alice', 'block', 1772366400000),
  ('alice', 'line', 1772366300000);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch,
    rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical,
    o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES
  ('m-aborted', 'm-aborted', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, NULL, 'aborted', NULL, NULL, NULL, NULL, 1772366400000, 1772366400000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-before', 'm-before', 'elsewhere', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'X', 'time', NULL, NULL, NULL, NULL, 1772366400000, 1772370000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-called', 'm-called', 'elsewhere', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'draw', 'moderator', NULL, NULL, NULL, NULL, 1772366400000, 1772370000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-computer', 'm-computer', 'home', '3x3x3', 'alice', NULL, NULL, 'easy', 3600000, NULL, 'X', 'line', NULL, NULL, NULL, NULL, 1772366400000, 1772366400000, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-drawn', 'm-drawn', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'draw', 'full board', 'proposed', 'alice', 1772366700000, NULL, 1772366400000, 1772366400000, 11, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-first', 'm-first', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'X', 'line', 'started', 'bob', NULL, 'm-second', 1772366400000, 1772366400000, 10, NULL, 'half', 2, 1, 0, 1, 0, 1, 1, NULL, NULL, 0, 5),
  ('m-late', 'm-late', '', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'X', 'time', NULL, NULL, NULL, NULL, 1772366400000, 1772452800000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-resigned', 'm-resigned', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'O', 'resignation', 'declined', 'alice', NULL, NULL, 1772366400000, 1772366400000, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-second', 'm-first', 'home', '3x3x3', 'bob', NULL, 'alice', NULL, 3600000, 1772370000000, NULL, NULL, NULL, NULL, NULL, NULL, 1772366400000, NULL, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-unbeatable', 'm-unbeatable', 'home', '3x3x3', NULL, 'unbeatable', 'bob', NULL, 3600000, NULL, 'draw', 'full board', NULL, NULL, NULL, NULL, 1772366400000, 1772366400000, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('m-voided', 'm-voided', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, NULL, 'voided', NULL, NULL, NULL, NULL, 1772366400000, 1772370000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'O', 'resignation', 0, NULL);
INSERT INTO moves (match, ply, square, at) VALUES
  ('m-before', 0, 0, 1772366400000), ('m-called', 0, 0, 1772366400000), ('m-computer', 0, 4, 1772366400000),
  ('m-computer', 1, 3, 1772366400000), ('m-computer', 2, 0, 1772366400000), ('m-computer', 3, 1, 1772366400000),
  ('m-computer', 4, 8, 1772366400000), ('m-drawn', 0, 4, 1772366400000), ('m-drawn', 1, 0, 1772366400000),
  ('m-drawn', 2, 2, 1772366400000), ('m-drawn', 3, 6, 1772366400000), ('m-drawn', 4, 3, 1772366400000), ('m-drawn', 5, 5, 1772366400000),
  ('m-drawn', 6, 1, 1772366400000), ('m-drawn', 7, 7, 1772366400000), ('m-drawn', 8, 8, 1772366400000), ('m-first', 0, 0, 1772366400000),
  ('m-first', 1, 1, 1772366400000), ('m-first', 2, 3, 1772366400000), ('m-first', 3, 4, 1772366400000), ('m-first', 4, 6, 1772366400000),
  ('m-late', 0, 0, 1772366400000), ('m-resigned', 0, 0, 1772366400000), ('m-resigned', 1, 1, 1772366400000),
  ('m-second', 0, 4, 1772366400000), ('m-second', 1, 0, 1772366400000), ('m-unbeatable', 0, 4, 1772366400000),
  ('m-unbeatable', 1, 0, 1772366400000), ('m-unbeatable', 2, 2, 1772366400000), ('m-unbeatable', 3, 6, 1772366400000),
  ('m-unbeatable', 4, 3, 1772366400000), ('m-unbeatable', 5, 5, 1772366400000), ('m-unbeatable', 6, 1, 1772366400000),
  ('m-unbeatable', 7, 7, 1772366400000), ('m-unbeatable', 8, 8, 1772366400000), ('m-voided', 0, 0, 1772366400000);
INSERT INTO players (id, name, quiet, closed, text_board, hidden, language) VALUES
  ('alice', 'Alice', 0, 0, 0, 0, ''),
  ('bob', 'Bob''s; -- ''name'' ❌', 0, 0, 0, 0, ''),
  ('carol', NULL, 1, 1, 1, 1, '');
INSERT INTO policies (venue, places, turn_ms, levels, quiet, version, casual, off, language) VALUES
  ('home', '5001 5002', 300000, 'easy hard', 1, 4, 1, 'profiles', '');
INSERT INTO presence (part, parts, last_seen) VALUES (0, 1, 1772366400000);
INSERT INTO puzzle_attempts (player, day, started, presses, solved) VALUES
  ('alice', 20513, 1772366400123, 'ab!c', 1772366460000),
  ('carol', 20513, 1772366400124, 'a!', NULL);
INSERT INTO puzzle_listed (venue, player) VALUES ('5008', 'alice');
INSERT INTO puzzle_posts (venue, channel, next, claimed, closed, language) VALUES
  ('5008', '5001', 20514, 1772366400125, NULL, ''),
  ('5009', NULL, 20514, NULL, '5002', '');
INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) VALUES
  ('home', 0, '', 'computers', 0, '', 2),
  ('home', 0, '', 'computers', 1, '', 2),
  ('home', 0, '', 'people', 0, '', 2),
  ('home', 0, '', 'people', 1, '', 2),
  ('home', 0, '3x3x3', 'rating', 0, '', 2),
  ('home', 0, '3x3x3', 'rating', 1, '', 2);
INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation, value, deviation,
    volatility, wins, draws, losses, opponents) VALUES
  ('home', '3x3x3', 'alice', 1772366400000, 'm-first', 'bob', 1.0, 0.5, 1, 1500.0, 350.0, 1596.18811, 316.065624, 0.059999635, 1, 0, 0, 1),
  ('home', '3x3x3', 'bob', 1772366400000, 'm-first', 'alice', 0.0, 0.5, 1, 1500.0, 350.0, 1403.81189, 316.065624, 0.059999635, 0, 0, 1, 1);
INSERT INTO recounts (venue, player) VALUES
  ('', 'alice'),
  ('', 'bob'),
  ('home', 'alice'),
  ('home', 'bob');
INSERT INTO replays (venue, rules, at, match) VALUES ('elsewhere', '3x3x3', 1, 'm-first');
INSERT INTO score_resets (venue, at, id) VALUES ('elsewhere', 1772373600000, 'd-reset');
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached, beaten, fewest, fewest_at, run, longest,
    longest_at, latest) VALUES
  ('', 'alice', 0, '', '', 1, 0, 0, 1772452800000, NULL, 0, NULL, 0, 0, NULL, NULL),
  ('', 'bob', 0, '', '', 0, 0, 1, 1772452800000, NULL, 0, NULL, 0, 0, NULL, NULL),
  ('home', 'alice', 0, '', '', 1, 1, 1, 1772366400000, NULL, 0, NULL, 0, 0, NULL, NULL),
  ('home', 'alice', 0, '', 'easy', 1, 0, 0, 1772366400000, NULL, 0, NULL, 0, 0, NULL, NULL),
  ('home', 'bob', 0, '', '', 1, 1, 1, 1772366400000, NULL, 0, NULL, 0, 0, NULL, NULL),
  ('home', 'bob', 0, '', 'unbeatable', 0, 1, 0, 0, NULL, 0, NULL, 0, 0, NULL, NULL);
INSERT INTO seasons (venue, number, name, began, ends, ended, player, channel, announced, language) VALUES
  ('home', 1, 'Winter''s ❄', 1772452900000, 1772453000000, 1772453000000, 'carol', '5001', 1772453000123, ''),
  ('home', 2, NULL, 1772453000000, NULL, NULL, NULL, NULL, NULL, '');
INSERT INTO sessions (shard, shards, id, sequence, token, saved) VALUES (0, 1, 's', 7, 'digest', 1772366400000);
INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents)
    VALUES
  ('home', 'alice', 0, '', 'computers', '999999999899999999990000000000001772366400000alice', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('home', 'alice', 0, '', 'people', '99999999980000000001001772366400000alice', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('home', 'alice', 0, '3x3x3', 'rating', '1499035943alice', 1596.18811, 316.065624, 0.059999635, 1772366400000, 1, 0, 0, 1),
  ('home', 'bob', 0, '', 'computers', '999999999999999999980000000000000000000000000bob', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('home', 'bob', 0, '', 'people', '99999999980000000001001772366400000bob', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('home', 'bob', 0, '3x3x3', 'rating', '1499228319bob', 1403.81189, 316.065624, 0.059999635, 1772366400000, 0, 0, 1, 1);
INSERT INTO venues (id, gone) VALUES
  ('elsewhere', 1772366400000),
  ('home', NULL);
