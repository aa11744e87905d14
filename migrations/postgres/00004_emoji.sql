-- +goose Up

-- The emoji that were brought to Discord, for each application, with a hash of their picture. What has no row is brought.
CREATE TABLE emoji (
  application text COLLATE "C" NOT NULL CHECK (application <> ''),
  id          text COLLATE "C" NOT NULL CHECK (id <> ''),
  name        text COLLATE "C" NOT NULL CHECK (name <> ''),
  hash        text COLLATE "C" NOT NULL CHECK (hash <> ''),
  PRIMARY KEY (application, id)
);
