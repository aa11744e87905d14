-- A database that commit 39a184c5 has made, with rows in every table.

PRAGMA application_id = 0x5454546f;

CREATE TABLE asides (
  board   TEXT    NOT NULL CHECK (board <> ''),
  player  TEXT    NOT NULL CHECK (player <> ''),
  token   TEXT    NOT NULL CHECK (token <> ''),
  message TEXT    NOT NULL CHECK (message <> ''), -- its id, or @original
  expires INTEGER NOT NULL,
  PRIMARY KEY (board, player)
) STRICT, WITHOUT ROWID;

CREATE TABLE back_offs (
  player     TEXT    NOT NULL CHECK (player <> ''),
  challenger TEXT    NOT NULL CHECK (challenger <> '' AND challenger <> player),
  weight     INTEGER NOT NULL CHECK (weight > 0),
  until      INTEGER NOT NULL,
  PRIMARY KEY (player, challenger)
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
  player  TEXT NOT NULL CHECK (player <> ''),
  blocked TEXT NOT NULL CHECK (blocked <> '' AND blocked <> player),
  PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

CREATE TABLE boards (
  id              TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  guild           TEXT    NOT NULL,
  channel         TEXT    NOT NULL,
  message         TEXT    NOT NULL,
  token           TEXT    NOT NULL,
  expires         INTEGER,
  member          INTEGER NOT NULL CHECK (member IN (0, 1)),
  shown           INTEGER NOT NULL DEFAULT 0 CHECK (shown >= 0),   -- the version that the message shows
  latest          INTEGER NOT NULL CHECK (latest >= 0),            -- the version that it should show; see the triggers
  mention_ply     INTEGER NOT NULL DEFAULT 0 CHECK (mention_ply >= 0),
  mention_message TEXT    NOT NULL DEFAULT ''
, locale TEXT NOT NULL DEFAULT '', refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0), past_channel TEXT NOT NULL DEFAULT '', past_message TEXT NOT NULL DEFAULT '', edit TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE TABLE challenges (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  venue      TEXT    NOT NULL,
  challenger TEXT    NOT NULL CHECK (challenger <> ''),
  challenged TEXT    NOT NULL CHECK (challenged <> '' AND challenged <> challenger),
  rules      TEXT    NOT NULL,
  first      TEXT    NOT NULL CHECK (first IN ('random', 'me', 'them')), -- as the challenger sees it
  turn_ms    INTEGER NOT NULL CHECK (turn_ms > 0),
  status     TEXT    NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  created    INTEGER NOT NULL,
  deadline   INTEGER,
  version    INTEGER NOT NULL CHECK (version > 0), casual INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)),
  CHECK ((status = 'pending') = (deadline IS NOT NULL))
) STRICT;

CREATE TABLE claims (
  id    TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE "deeds" (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'features', 'daily', 'language', 'draw', 'void', 'reset', 'season', 'undo')),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as in policies
  undoes TEXT                                          -- the id of another deed, which can be undone once
    CHECK (undoes <> '') CHECK (undoes IS NULL OR kind = 'undo'),
  CHECK (kind = 'undo' OR (kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

CREATE TABLE emoji (
  application TEXT NOT NULL CHECK (application <> ''),
  id          TEXT NOT NULL CHECK (id <> ''),
  name        TEXT NOT NULL CHECK (name <> ''),
  hash        TEXT NOT NULL CHECK (hash <> ''),
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);

CREATE TABLE leases (
  name    TEXT    NOT NULL PRIMARY KEY CHECK (name <> ''),
  holder  TEXT    NOT NULL CHECK (holder <> ''),
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE lessons (
  player TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  lesson TEXT    NOT NULL CHECK (lesson <> ''),
  solved INTEGER NOT NULL, -- when, for the first time
  PRIMARY KEY (player, lesson)
) STRICT, WITHOUT ROWID;

CREATE TABLE "matches" (
  id               TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  series           TEXT    NOT NULL CHECK (series <> ''),
  venue            TEXT    NOT NULL,
  rules            TEXT    NOT NULL,
  x_player         TEXT    CHECK (x_player <> ''),
  x_level          TEXT    CHECK (x_level <> ''),
  o_player         TEXT    CHECK (o_player <> ''),
  o_level          TEXT    CHECK (o_level <> ''),
  turn_ms          INTEGER NOT NULL CHECK (turn_ms > 0),
  deadline         INTEGER,
  outcome          TEXT    CHECK (outcome IN ('X', 'O', 'draw')),
  cause            TEXT    CHECK (cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided', 'no show')),
  rematch          TEXT    CHECK (rematch IN ('proposed', 'declined', 'expired', 'started')),
  rematch_by       TEXT    CHECK (rematch_by <> ''),
  rematch_deadline INTEGER,
  rematch_next     TEXT    CHECK (rematch_next <> ''),
  created          INTEGER NOT NULL,
  ended            INTEGER,
  version          INTEGER NOT NULL CHECK (version > 0),
  proposer         TEXT    CHECK (proposer IN ('X', 'O')), stakes TEXT CHECK (stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart')), x_critical  INTEGER CHECK (x_critical >= 0), x_errors    INTEGER CHECK (x_errors BETWEEN 0 AND x_critical), x_recovered INTEGER CHECK (x_recovered IN (0, 1)), o_critical  INTEGER CHECK (o_critical >= 0), o_errors    INTEGER CHECK (o_errors BETWEEN 0 AND o_critical), o_recovered INTEGER CHECK (o_recovered IN (0, 1)), reviewed    INTEGER CHECK (reviewed IN (0, 1))                    -- whether they could be; NULL until it is tried
  CHECK ((reviewed IS 1) = (x_critical IS NOT NULL AND x_errors IS NOT NULL AND x_recovered IS NOT NULL))
  CHECK ((reviewed IS 1) = (o_critical IS NOT NULL AND o_errors IS NOT NULL AND o_recovered IS NOT NULL)), voided_outcome TEXT CHECK (voided_outcome IN ('X', 'O', 'draw')), voided_cause TEXT CHECK (CASE
    WHEN voided_cause IS NULL                         THEN voided_outcome IS NULL
    WHEN cause IS NOT 'voided'                        THEN 0
    WHEN voided_cause = 'aborted'                     THEN voided_outcome IS NULL
    WHEN voided_cause = 'no show'                     THEN voided_outcome IS NULL AND proposer IS NOT NULL
    WHEN voided_cause IN ('full board', 'moderator')  THEN voided_outcome IS 'draw'
    ELSE voided_cause IN ('line', 'resignation', 'time') AND (voided_outcome IS 'X' OR voided_outcome IS 'O')
  END), helped INTEGER NOT NULL DEFAULT 0 CHECK (helped IN (0, 1)), plies INTEGER CHECK (plies >= 0), -- who asked for the match; NULL against a computer, and in older matches
  CHECK ((x_player IS NULL) <> (x_level IS NULL)),
  CHECK ((o_player IS NULL) <> (o_level IS NULL)),
  CHECK (x_player <> o_player),
  CHECK ((cause IS NULL) = (ended IS NULL)),
  CHECK ((cause IS NULL) = (deadline IS NOT NULL)),
  CHECK (CASE
    WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
    WHEN cause = 'no show'                               THEN outcome IS NULL AND proposer IS NOT NULL
    WHEN cause IN ('full board', 'moderator')            THEN outcome IS 'draw'
    ELSE outcome IS 'X' OR outcome IS 'O'
  END),
  CHECK (rematch IS NULL OR cause IS NOT NULL),
  CHECK ((rematch IS 'proposed') = (rematch_deadline IS NOT NULL)),
  CHECK ((rematch IS 'started') = (rematch_next IS NOT NULL)),
  CHECK (rematch IS NOT 'proposed' OR rematch_by IS NOT NULL)
) STRICT;

CREATE TABLE moves (
  match  TEXT    NOT NULL REFERENCES matches (id),
  ply    INTEGER NOT NULL CHECK (ply >= 0),
  square INTEGER NOT NULL CHECK (square >= 0),
  at     INTEGER NOT NULL,
  PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE players (
  id    TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  name  TEXT    CHECK (name <> ''),                       -- as last seen
  quiet INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1)) -- wants no turn mentions
, closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)), text_board INTEGER NOT NULL DEFAULT 0 CHECK (text_board IN (0, 1)), hidden      INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)), language TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE TABLE policies (
  venue   TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  places  TEXT    NOT NULL,                            -- where matches may begin; everywhere if empty
  turn_ms INTEGER CHECK (turn_ms > 0),                 -- unless the challenger says otherwise
  levels  TEXT    NOT NULL,                            -- on offer; all if empty
  quiet   INTEGER NOT NULL CHECK (quiet IN (0, 1)),    -- no turn is mentioned
  version INTEGER NOT NULL CHECK (version > 0)
, casual INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)), off TEXT NOT NULL DEFAULT '', language TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE TABLE "presence" (
  part      INTEGER NOT NULL PRIMARY KEY CHECK (part >= 0),
  parts     INTEGER NOT NULL CHECK (parts > part),
  last_seen INTEGER NOT NULL
) STRICT;

CREATE TABLE puzzle_attempts (
  player  TEXT    NOT NULL CHECK (player <> ''),
  day     INTEGER NOT NULL,
  started INTEGER NOT NULL,
  presses TEXT    NOT NULL,  -- a letter for each square, "a" for the first, and "!" after each that was wrong
  solved  INTEGER,
  PRIMARY KEY (player, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzle_listed (
  venue  TEXT NOT NULL CHECK (venue <> ''),
  player TEXT NOT NULL CHECK (player <> ''),
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzle_posts (
  venue   TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  channel TEXT    CHECK (channel <> ''),  -- none: it is posted nowhere
  next    INTEGER NOT NULL,               -- the first day that nobody has set about
  claimed INTEGER,                        -- when somebody set about the day before that, until it is known what became of it
  closed  TEXT    CHECK (closed <> '') CHECK (closed IS NULL OR channel IS NULL) -- the channel that was closed to the bot
, language TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE TABLE rank_buckets (
  venue       TEXT    NOT NULL,
  season      INTEGER NOT NULL,
  rules       TEXT    NOT NULL,
  leaderboard TEXT    NOT NULL,
  level       INTEGER NOT NULL,
  first       TEXT    NOT NULL,
  length      INTEGER NOT NULL,
  PRIMARY KEY (venue, season, rules, leaderboard, level, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE rated (
  venue           TEXT    NOT NULL CHECK (venue <> ''),
  rules           TEXT    NOT NULL CHECK (rules <> ''),
  player          TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  at              INTEGER NOT NULL, -- when the match ended
  match           TEXT    NOT NULL,
  opponent        TEXT    NOT NULL CHECK (opponent NOT IN ('', player)),
  score           REAL    NOT NULL CHECK (score IN (0, 0.5, 1)),
  weight          REAL    NOT NULL CHECK (weight IN (0.5, 1)),
  met             INTEGER NOT NULL CHECK (met IN (0, 1)), -- whether it was the first with this opponent
  -- The opponent's rating as it counted.
  other_value     REAL    NOT NULL,
  other_deviation REAL    NOT NULL,
  -- The player's, after it, and all matches so far.
  value           REAL    NOT NULL,
  deviation       REAL    NOT NULL,
  volatility      REAL    NOT NULL,
  wins            INTEGER NOT NULL,
  draws           INTEGER NOT NULL,
  losses          INTEGER NOT NULL,
  opponents       INTEGER NOT NULL,
  PRIMARY KEY (venue, rules, player, at, match)
) STRICT, WITHOUT ROWID;

CREATE TABLE recounts (
  venue  TEXT NOT NULL,
  player TEXT NOT NULL,
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;

CREATE TABLE replays (
  venue TEXT    NOT NULL,
  rules TEXT    NOT NULL,
  at    INTEGER NOT NULL,
  match TEXT    NOT NULL,
  PRIMARY KEY (venue, rules)
) STRICT, WITHOUT ROWID;

CREATE TABLE "score_resets" (
  venue TEXT    NOT NULL CHECK (venue <> ''),
  at    INTEGER NOT NULL,
  id    TEXT    NOT NULL,
  PRIMARY KEY (venue, at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE scores (
  venue      TEXT    NOT NULL,
  player     TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  season     INTEGER NOT NULL,
  rules      TEXT    NOT NULL,
  level      TEXT    NOT NULL,           -- of the computer played against; empty against people
  wins       INTEGER NOT NULL CHECK (wins >= 0),
  draws      INTEGER NOT NULL CHECK (draws >= 0),
  losses     INTEGER NOT NULL CHECK (losses >= 0),
  reached    INTEGER NOT NULL,           -- when wins and losses came to be what they are; 0 while there are only draws
  -- Against the computer: the first win, the win with the fewest moves of one's own, and the run of draws against the level that
  -- never loses: how long it is, how long one ever was, and when the latest match ended that it is about.
  beaten     INTEGER,
  fewest     INTEGER NOT NULL DEFAULT 0,
  fewest_at  INTEGER,
  run        INTEGER NOT NULL DEFAULT 0,
  longest    INTEGER NOT NULL DEFAULT 0,
  longest_at INTEGER,
  latest     INTEGER,
  PRIMARY KEY (venue, player, season, rules, level),
  CHECK ((reached = 0) = (wins + losses = 0))
) STRICT, WITHOUT ROWID;

CREATE TABLE seasons (
  venue     TEXT    NOT NULL CHECK (venue <> ''),
  number    INTEGER NOT NULL CHECK (number > 0),
  name      TEXT    CHECK (name <> ''),          -- none after a planned end, until somebody begins another season
  began     INTEGER NOT NULL,                    -- what ended later is of this season
  ends      INTEGER,                             -- the planned end
  ended     INTEGER CHECK (ended >= began),      -- when the next one began
  player    TEXT    CHECK (player <> ''),        -- who began it; none after a planned end
  channel   TEXT    CHECK (channel <> ''),       -- where its champions are to be posted
  announced INTEGER, language TEXT NOT NULL DEFAULT '',                             -- when somebody set about that
  PRIMARY KEY (venue, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  shard    INTEGER NOT NULL PRIMARY KEY CHECK (shard >= 0),
  shards   INTEGER NOT NULL CHECK (shards > shard),
  id       TEXT    NOT NULL CHECK (id <> ''),
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  token    TEXT    NOT NULL,
  saved    INTEGER NOT NULL
) STRICT;

CREATE TABLE standings (
  venue       TEXT    NOT NULL CHECK (venue <> ''),
  player      TEXT    NOT NULL,
  season      INTEGER NOT NULL,
  rules       TEXT    NOT NULL,
  leaderboard TEXT    NOT NULL,
  place       TEXT    NOT NULL, value      REAL, deviation  REAL, volatility REAL, at         INTEGER, wins       INTEGER, draws      INTEGER, losses     INTEGER, opponents  INTEGER,
  PRIMARY KEY (venue, player, season, rules, leaderboard)
) STRICT, WITHOUT ROWID;

CREATE TABLE venues (
  id   TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  gone INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO asides (board, player, token, message, expires) VALUES ('m-second', 'bob', 'token', '@original', 1772367300000);
INSERT INTO back_offs (player, challenger, weight, until) VALUES ('bob', 'alice', 2, 1772367000000);
INSERT INTO blocks (player, blocked) VALUES ('alice', 'mallory');
INSERT INTO blocks (player, blocked) VALUES ('carol', 'veiled:28435ff57b995f2547be2152d3377becc93795b5b360368e575a3b520eb7bfc6');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('c-declined', 'home', 'c', 'mc-declined', 't', 1772366460000, 1, 0, 2, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('c-expired', 'home', 'c', 'mc-expired', 't', 1772366460000, 1, 0, 2, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('c-pending', 'home', 'c', 'mc-pending', 't', 1772366460000, 1, 0, 1, 0, '', 'de', 2, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('c-withdrawn', 'home', 'c', 'mc-withdrawn', 't', 1772366460000, 1, 0, 2, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-aborted', 'home', 'c', 'mm-aborted', 't', 1772366460000, 0, 0, 2, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-computer', 'home', 'c', 'mm-computer', 't', 1772366460000, 0, 0, 6, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-drawn', 'home', 'c', 'mm-drawn', 't', 1772366460000, 0, 2147483647, 11, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-first', 'home', 'c', 'mm-first', 't', 1772366460000, 0, 0, 10, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-late', 'home', 'c', 'mm-late', 't', 1772366460000, 0, 0, 3, 0, '', '', 0, '', '', 'edit-of-before');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-resigned', 'home', 'c', 'mm-resigned', 't', 1772366460000, 0, 0, 6, 0, '', '', 0, '', '', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-second', 'home', 'c', 'mm-second', 't', 1772366460000, 0, 3, 3, 3, 'mention', 'en-US', 0, 'c', 'mm-before', '');
INSERT INTO boards (id, guild, channel, message, token, expires, member, shown, latest, mention_ply, mention_message, locale, refused, past_channel, past_message, edit) VALUES ('m-unbeatable', 'home', 'c', 'mm-unbeatable', 't', 1772366460000, 0, 0, 10, 0, '', '', 0, '', '', '');
INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual) VALUES ('c-declined', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'declined', 1772366400000, NULL, 2, 0);
INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual) VALUES ('c-expired', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'expired', 1772366400000, NULL, 2, 0);
INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual) VALUES ('c-pending', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'pending', 1772366400000, 1772366700000, 1, 1);
INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual) VALUES ('c-withdrawn', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'withdrawn', 1772366400000, NULL, 2, 0);
INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual) VALUES ('m-first', 'home', 'alice', 'bob', '3x3x3', 'me', 3600000, 'accepted', 1772366400000, NULL, 2, 0);
INSERT INTO claims (id, until) VALUES ('interaction', 1772366700000);
INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES (1, 'd-levels', 'home', 'carol', 1772366400000, 'levels', NULL, 'easy hard', NULL);
INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES (2, 'd-void', 'home', 'carol', 1772370000000, 'void', 'm-voided', '', NULL);
INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES (3, 'd-reset', 'elsewhere', 'carol', 1772373600000, 'reset', NULL, '', NULL);
INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES (4, 'd-ratings', 'home', 'carol', 1772373660000, 'ratings', NULL, 'off', NULL);
INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES (5, 'd-season', 'home', 'carol', 1772452900000, 'season', NULL, 'Winter''s ❄', NULL);
INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES (6, 'd-undo', 'home', 'carol', 1772452800000, 'undo', 'm-voided', '', 'd-void');
INSERT INTO emoji (application, id, name, hash) VALUES ('app', '5101', 'b2_x_last', '0123456789abcdef');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (1, 0, 1, '2026-11-22 00:17:47');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (10, 9, 1, '2026-11-22 22:17:45');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (11, 10, 1, '2026-11-22 23:29:47');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (12, 11, 1, '2026-11-22 23:55:07');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (13, 12, 1, '2026-11-23 02:08:07');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (14, 13, 1, '2026-11-23 02:30:13');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (15, 14, 1, '2026-11-23 02:55:43');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (16, 15, 1, '2026-11-23 03:08:58');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (17, 16, 1, '2026-11-23 06:41:33');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (18, 17, 1, '2026-11-23 07:05:20');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (19, 18, 1, '2026-11-23 07:45:01');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (2, 1, 1, '2026-11-22 00:17:47');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (20, 19, 1, '2026-11-23 07:48:58');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (21, 20, 1, '2026-11-23 08:05:15');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (22, 21, 1, '2026-11-23 08:09:45');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (23, 22, 1, '2026-11-23 15:29:20');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (24, 23, 1, '2026-11-23 16:16:24');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (25, 24, 1, '2026-11-23 16:32:52');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (26, 25, 1, '2026-11-23 16:44:05');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (27, 26, 1, '2026-11-23 16:54:36');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (28, 27, 1, '2026-11-23 20:41:03');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (29, 28, 1, '2026-11-23 21:45:23');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (3, 2, 1, '2026-11-22 01:04:19');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (30, 29, 1, '2026-11-26 12:39:52');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (31, 30, 1, '2026-11-26 19:13:53');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (32, 31, 1, '2026-11-27 05:15:18');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (33, 32, 1, '2026-11-28 09:18:16');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (4, 3, 1, '2026-11-22 01:04:45');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (5, 4, 1, '2026-11-22 02:06:12');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (6, 5, 1, '2026-11-22 02:51:24');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (7, 6, 1, '2026-11-22 02:54:20');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (8, 7, 1, '2026-11-22 03:01:24');
INSERT INTO goose_db_version (id, version_id, is_applied, tstamp) VALUES (9, 8, 1, '2026-11-22 15:55:29');
INSERT INTO leases (name, holder, expires) VALUES ('shard 0/1', 'somebody', 1772366430000);
INSERT INTO lessons (player, lesson, solved) VALUES ('alice', 'block', 1772366400000);
INSERT INTO lessons (player, lesson, solved) VALUES ('alice', 'line', 1772366300000);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-aborted', 'm-aborted', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, NULL, 'aborted', NULL, NULL, NULL, NULL, 1772366400000, 1772366400000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-before', 'm-before', 'elsewhere', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'X', 'time', NULL, NULL, NULL, NULL, 1772366400000, 1772370000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-called', 'm-called', 'elsewhere', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'draw', 'moderator', NULL, NULL, NULL, NULL, 1772366400000, 1772370000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-computer', 'm-computer', 'home', '3x3x3', 'alice', NULL, NULL, 'easy', 3600000, NULL, 'X', 'line', NULL, NULL, NULL, NULL, 1772366400000, 1772366400000, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-drawn', 'm-drawn', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'draw', 'full board', 'proposed', 'alice', 1772366700000, NULL, 1772366400000, 1772366400000, 11, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-first', 'm-first', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'X', 'line', 'started', 'bob', NULL, 'm-second', 1772366400000, 1772366400000, 10, NULL, 'half', 2, 1, 0, 1, 0, 1, 1, NULL, NULL, 0, 5);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-late', 'm-late', '', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'X', 'time', NULL, NULL, NULL, NULL, 1772366400000, 1772452800000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-resigned', 'm-resigned', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, 'O', 'resignation', 'declined', 'alice', NULL, NULL, 1772366400000, 1772366400000, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-second', 'm-first', 'home', '3x3x3', 'bob', NULL, 'alice', NULL, 3600000, 1772370000000, NULL, NULL, NULL, NULL, NULL, NULL, 1772366400000, NULL, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-unbeatable', 'm-unbeatable', 'home', '3x3x3', NULL, 'unbeatable', 'bob', NULL, 3600000, NULL, 'draw', 'full board', NULL, NULL, NULL, NULL, 1772366400000, 1772366400000, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies) VALUES ('m-voided', 'm-voided', 'home', '3x3x3', 'alice', NULL, 'bob', NULL, 3600000, NULL, NULL, 'voided', NULL, NULL, NULL, NULL, 1772366400000, 1772370000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'O', 'resignation', 0, NULL);
INSERT INTO moves (match, ply, square, at) VALUES ('m-before', 0, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-called', 0, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-computer', 0, 4, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-computer', 1, 3, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-computer', 2, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-computer', 3, 1, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-computer', 4, 8, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 0, 4, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 1, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 2, 2, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 3, 6, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 4, 3, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 5, 5, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 6, 1, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 7, 7, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-drawn', 8, 8, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-first', 0, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-first', 1, 1, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-first', 2, 3, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-first', 3, 4, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-first', 4, 6, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-late', 0, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-resigned', 0, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-resigned', 1, 1, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-second', 0, 4, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-second', 1, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 0, 4, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 1, 0, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 2, 2, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 3, 6, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 4, 3, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 5, 5, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 6, 1, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 7, 7, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-unbeatable', 8, 8, 1772366400000);
INSERT INTO moves (match, ply, square, at) VALUES ('m-voided', 0, 0, 1772366400000);
INSERT INTO players (id, name, quiet, closed, text_board, hidden, language) VALUES ('alice', 'Alice', 0, 0, 0, 0, '');
INSERT INTO players (id, name, quiet, closed, text_board, hidden, language) VALUES ('bob', 'Bob''s; -- ''name'' ❌', 0, 0, 0, 0, '');
INSERT INTO players (id, name, quiet, closed, text_board, hidden, language) VALUES ('carol', NULL, 1, 1, 1, 1, '');
INSERT INTO policies (venue, places, turn_ms, levels, quiet, version, casual, off, language) VALUES ('home', '5001 5002', 300000, 'easy hard', 1, 4, 1, 'profiles', '');
INSERT INTO presence (part, parts, last_seen) VALUES (0, 1, 1772366400000);
INSERT INTO puzzle_attempts (player, day, started, presses, solved) VALUES ('alice', 20513, 1772366400123, 'ab!c', 1772366460000);
INSERT INTO puzzle_attempts (player, day, started, presses, solved) VALUES ('carol', 20513, 1772366400124, 'a!', NULL);
INSERT INTO puzzle_listed (venue, player) VALUES ('5008', 'alice');
INSERT INTO puzzle_posts (venue, channel, next, claimed, closed, language) VALUES ('5008', '5001', 20514, 1772366400125, NULL, '');
INSERT INTO puzzle_posts (venue, channel, next, claimed, closed, language) VALUES ('5009', NULL, 20514, NULL, '5002', '');
INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) VALUES ('home', 0, '', 'computers', 0, '', 2);
INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) VALUES ('home', 0, '', 'computers', 1, '', 2);
INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) VALUES ('home', 0, '', 'people', 0, '', 2);
INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) VALUES ('home', 0, '', 'people', 1, '', 2);
INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) VALUES ('home', 0, '3x3x3', 'rating', 0, '', 2);
INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) VALUES ('home', 0, '3x3x3', 'rating', 1, '', 2);
INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation, value, deviation, volatility, wins, draws, losses, opponents) VALUES ('home', '3x3x3', 'alice', 1772366400000, 'm-first', 'bob', 1.0, 0.5, 1, 1500.0, 350.0, 1596.18811, 316.065624, 0.059999635, 1, 0, 0, 1);
INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation, value, deviation, volatility, wins, draws, losses, opponents) VALUES ('home', '3x3x3', 'bob', 1772366400000, 'm-first', 'alice', 0.0, 0.5, 1, 1500.0, 350.0, 1403.81189, 316.065624, 0.059999635, 0, 0, 1, 1);
INSERT INTO recounts (venue, player) VALUES ('', 'alice');
INSERT INTO recounts (venue, player) VALUES ('', 'bob');
INSERT INTO recounts (venue, player) VALUES ('home', 'alice');
INSERT INTO recounts (venue, player) VALUES ('home', 'bob');
INSERT INTO replays (venue, rules, at, match) VALUES ('elsewhere', '3x3x3', 1, 'm-first');
INSERT INTO score_resets (venue, at, id) VALUES ('elsewhere', 1772373600000, 'd-reset');
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached, beaten, fewest, fewest_at, run, longest, longest_at, latest) VALUES ('', 'alice', 0, '', '', 1, 0, 0, 1772452800000, NULL, 0, NULL, 0, 0, NULL, NULL);
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached, beaten, fewest, fewest_at, run, longest, longest_at, latest) VALUES ('', 'bob', 0, '', '', 0, 0, 1, 1772452800000, NULL, 0, NULL, 0, 0, NULL, NULL);
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached, beaten, fewest, fewest_at, run, longest, longest_at, latest) VALUES ('home', 'alice', 0, '', '', 1, 1, 1, 1772366400000, NULL, 0, NULL, 0, 0, NULL, NULL);
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached, beaten, fewest, fewest_at, run, longest, longest_at, latest) VALUES ('home', 'alice', 0, '', 'easy', 1, 0, 0, 1772366400000, NULL, 0, NULL, 0, 0, NULL, NULL);
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached, beaten, fewest, fewest_at, run, longest, longest_at, latest) VALUES ('home', 'bob', 0, '', '', 1, 1, 1, 1772366400000, NULL, 0, NULL, 0, 0, NULL, NULL);
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached, beaten, fewest, fewest_at, run, longest, longest_at, latest) VALUES ('home', 'bob', 0, '', 'unbeatable', 0, 1, 0, 0, NULL, 0, NULL, 0, 0, NULL, NULL);
INSERT INTO seasons (venue, number, name, began, ends, ended, player, channel, announced, language) VALUES ('home', 1, 'Winter''s ❄', 1772452900000, 1772453000000, 1772453000000, 'carol', '5001', 1772453000123, '');
INSERT INTO seasons (venue, number, name, began, ends, ended, player, channel, announced, language) VALUES ('home', 2, NULL, 1772453000000, NULL, NULL, NULL, NULL, NULL, '');
INSERT INTO sessions (shard, shards, id, sequence, token, saved) VALUES (0, 1, 's', 7, 'digest', 1772366400000);
INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents) VALUES ('home', 'alice', 0, '', 'computers', '999999999899999999990000000000001772366400000alice', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents) VALUES ('home', 'alice', 0, '', 'people', '99999999980000000001001772366400000alice', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents) VALUES ('home', 'alice', 0, '3x3x3', 'rating', '1499035943alice', 1596.18811, 316.065624, 0.059999635, 1772366400000, 1, 0, 0, 1);
INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents) VALUES ('home', 'bob', 0, '', 'computers', '999999999999999999980000000000000000000000000bob', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents) VALUES ('home', 'bob', 0, '', 'people', '99999999980000000001001772366400000bob', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents) VALUES ('home', 'bob', 0, '3x3x3', 'rating', '1499228319bob', 1403.81189, 316.065624, 0.059999635, 1772366400000, 0, 0, 1, 1);
INSERT INTO venues (id, gone) VALUES ('elsewhere', 1772366400000);
INSERT INTO venues (id, gone) VALUES ('home', NULL);

CREATE INDEX asides_expire ON asides (expires);
CREATE INDEX asides_of     ON asides (player);
CREATE INDEX back_offs_of    ON back_offs (challenger);
CREATE INDEX back_offs_until ON back_offs (until);
CREATE INDEX blocks_of ON blocks (blocked);
CREATE INDEX boards_behind ON boards (id) WHERE shown < latest OR edit <> '';
CREATE INDEX boards_guild ON boards (guild);
CREATE INDEX boards_refused ON boards (guild, refused) WHERE refused > 0;
CREATE INDEX challenges_deadline ON challenges (deadline)   WHERE deadline IS NOT NULL;
CREATE INDEX challenges_from ON challenges (challenger, status);
CREATE INDEX challenges_to   ON challenges (challenged, status);
CREATE INDEX challenges_venue ON challenges (venue);
CREATE INDEX claims_until ON claims (until);
CREATE INDEX deeds_of    ON deeds (player, n);
CREATE UNIQUE INDEX deeds_undoes ON deeds (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE INDEX matches_by_accuracy ON matches (
    venue, ended / 86400000, (x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical), x_critical + o_critical, ended)
  WHERE outcome IS NOT NULL AND x_critical + o_critical >= 4 AND x_player IS NOT NULL AND o_player IS NOT NULL;
CREATE INDEX matches_by_length ON matches (venue, ended / 86400000, plies, ended DESC, cause)
  WHERE outcome IS NOT NULL AND plies IS NOT NULL AND x_player IS NOT NULL AND o_player IS NOT NULL AND cause IN ('line', 'full board');
CREATE INDEX matches_deadline ON matches (deadline)         WHERE deadline IS NOT NULL;
CREATE INDEX matches_of_o     ON matches (o_player, ended) WHERE o_player IS NOT NULL;
CREATE INDEX matches_of_x     ON matches (x_player, ended) WHERE x_player IS NOT NULL;
CREATE INDEX matches_rated ON matches (venue, rules, ended, id) WHERE stakes IN ('full', 'half') AND outcome IS NOT NULL;
CREATE INDEX matches_rematch  ON matches (rematch_deadline) WHERE rematch_deadline IS NOT NULL;
CREATE INDEX matches_series   ON matches (series, x_player, x_level, o_player, o_level, outcome, cause, ended) WHERE ended IS NOT NULL;
CREATE INDEX matches_unreviewed ON matches (ended, id) WHERE outcome IS NOT NULL AND reviewed IS NULL;
CREATE INDEX matches_venue    ON matches (venue, ended, id);
CREATE INDEX puzzle_listed_of ON puzzle_listed (player);
CREATE INDEX puzzle_posts_claimed ON puzzle_posts (claimed) WHERE claimed IS NOT NULL;
CREATE INDEX puzzle_posts_due     ON puzzle_posts (next, venue) WHERE channel IS NOT NULL;
CREATE INDEX rated_met ON rated (player, opponent, venue, rules, at) WHERE met;
CREATE INDEX rated_upsets ON rated (venue, at / 86400000, other_value - value) WHERE score = 1 AND other_value - value > 0;
CREATE INDEX recounts_player ON recounts (player);
CREATE INDEX scores_player ON scores (player, venue);
CREATE INDEX seasons_announce ON seasons (ended) WHERE ended IS NOT NULL AND channel IS NOT NULL AND announced IS NULL;
CREATE INDEX seasons_end      ON seasons (ends) WHERE ended IS NULL AND ends IS NOT NULL;
CREATE INDEX seasons_of       ON seasons (player);
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents);
CREATE INDEX venues_gone ON venues (gone) WHERE gone IS NOT NULL;
