-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE matches ADD COLUMN stakes text COLLATE "C"
  CONSTRAINT is_stakes CHECK (stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart'));
ALTER TABLE challenges ADD COLUMN casual boolean NOT NULL DEFAULT false;
ALTER TABLE policies ADD COLUMN casual boolean NOT NULL DEFAULT false;

CREATE TABLE rated (
  venue           text COLLATE "C" NOT NULL CHECK (venue <> ''),
  rules           text COLLATE "C" NOT NULL CHECK (rules <> ''),
  player          text COLLATE "C" NOT NULL CHECK (player NOT IN ('', 'left')),
  at              bigint NOT NULL,
  match           text COLLATE "C" NOT NULL,
  opponent        text COLLATE "C" NOT NULL CHECK (opponent <> '' AND opponent <> player),
  score           double precision NOT NULL CHECK (score IN (0, 0.5, 1)),
  weight          double precision NOT NULL CHECK (weight IN (0.5, 1)),
  met             boolean NOT NULL,
  other_value     double precision NOT NULL,
  other_deviation double precision NOT NULL,
  value           double precision NOT NULL,
  deviation       double precision NOT NULL,
  volatility      double precision NOT NULL,
  wins            integer NOT NULL,
  draws           integer NOT NULL,
  losses          integer NOT NULL,
  opponents       integer NOT NULL,
  PRIMARY KEY (venue, rules, player, at, match)
);

CREATE INDEX rated_in_order ON rated (venue, rules, at, match);
CREATE INDEX rated_match    ON rated (match);
CREATE INDEX rated_player   ON rated (player, match);

CREATE TABLE ratings (
  venue      text COLLATE "C" NOT NULL CHECK (venue <> ''),
  rules      text COLLATE "C" NOT NULL CHECK (rules <> ''),
  player     text COLLATE "C" NOT NULL CHECK (player NOT IN ('', 'left')),
  value      double precision NOT NULL,
  deviation  double precision NOT NULL,
  volatility double precision NOT NULL,
  at         bigint NOT NULL,
  wins       integer NOT NULL,
  draws      integer NOT NULL,
  losses     integer NOT NULL,
  opponents  integer NOT NULL,
  place      text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, rules, player)
);

CREATE UNIQUE INDEX ratings_place ON ratings (venue, rules, place);
CREATE INDEX ratings_player ON ratings (player, venue, rules);

CREATE TABLE rating_buckets (
  venue  text COLLATE "C" NOT NULL,
  rules  text COLLATE "C" NOT NULL,
  first  text COLLATE "C" NOT NULL,
  length integer NOT NULL,
  PRIMARY KEY (venue, rules, first)
);

CREATE TABLE replays (
  venue text COLLATE "C" NOT NULL,
  rules text COLLATE "C" NOT NULL,
  at    bigint NOT NULL,
  match text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, rules)
);
