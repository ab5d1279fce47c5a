-- Words that hold or refuse comments on the videos of a channel.
create table watched_words (
  user_id text collate "C" primary key references users on delete cascade,
  watched_words text not null,
  watched_words_action text not null check (watched_words_action in ('hold', 'refuse'))
);
