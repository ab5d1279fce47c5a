/** Names of fields in errors, as `{label}`. The interface translates them. */
export const fieldLabels = [
  'About',
  'Answer',
  'Comment',
  'Contact',
  'Description',
  'Email',
  'Full name',
  'Label',
  'Name',
  'Note',
  'Password',
  'Reason',
  'Rules',
  'Text',
  'Thumbnail',
  'Title',
  'Username',
  'Video',
  'Watched words',
  'videoId',
] as const

export type FieldLabel = (typeof fieldLabels)[number]
