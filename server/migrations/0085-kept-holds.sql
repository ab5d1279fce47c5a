-- Whether a video waited for approval when its owner made it private: it waits again once its owner shows it.
alter table videos add column was_held boolean not null default false;
