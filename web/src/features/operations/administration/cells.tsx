import { Link } from 'react-router'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import styles from './cells.module.css'

/** The subject of a row: its picture, and its name over a small note. */
export function Subject({
  picture,
  note,
  children,
}: {
  picture: ReactNode
  note: ReactNode
  children: ReactNode
}) {
  return (
    <span className={styles['subject']}>
      {picture}
      <span>
        {children}
        <small>{note}</small>
      </span>
    </span>
  )
}

/** The username of an account, as a link to its page. */
export function PersonLink({ username }: { username: string }) {
  return (
    <Link to={paths.person(username)}>
      <bdi>@{username}</bdi>
    </Link>
  )
}

/** The title of a video, as a link to where it is moderated. */
export function VideoLink({ title }: { title: string }) {
  return (
    <Link to={paths.administrationOf('videos', title)} dir="auto">
      {title}
    </Link>
  )
}
