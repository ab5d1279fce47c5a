-- The language that somebody has chosen while signed in, for their other browsers.
alter table users add column language text;
