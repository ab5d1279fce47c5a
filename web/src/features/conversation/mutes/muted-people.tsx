import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { mutedPeopleQuery, useMuteChange } from './api.ts'
import styles from './mutes.module.css'

/** The people whom the viewer muted or blocked, each with a button that takes it back. */
export function MutedPeople() {
  const change = useMuteChange()
  const top = useRef<HTMLDivElement>(null)
  const name = `@${change.variables?.username ?? ''}`
  return (
    <QuerySection query={useQuery(mutedPeopleQuery)} failure={t`Could not load whom you muted`}>
      {(people) => (
        <div ref={top} tabIndex={-1}>
          {change.isError && <Alert>{failureMessage(change.error)}</Alert>}
          <Status>{change.isSuccess && t`${name} is no longer muted or blocked.`}</Status>
          {people.length === 0 && (
            <p
              className={styles['text']}
            >{t`You have not muted anyone. Mute or block people from their channel or a comment.`}</p>
          )}
          <ul className={styles['list']}>
            {people.map(({ username, fullname, avatar, isBlocked }) => (
              <li key={username}>
                <Link className={styles['person']} to={paths.channel(username)}>
                  <Avatar src={avatar} name={fullname} size={40} lazy />
                  <span>
                    <bdi>{fullname}</bdi>
                    <small>
                      @{username} · {isBlocked ? 'blocked' : 'muted'}
                    </small>
                  </span>
                </Link>
                <Button
                  disabled={change.isPending}
                  aria-label={`${isBlocked ? t`Unblock` : t({ message: 'Unmute', context: 'a person' })} ${username}`}
                  onClick={() => {
                    // its row disappears
                    top.current?.focus()
                    change.mutate({ username, state: 'neither' })
                  }}
                >
                  {isBlocked ? t`Unblock` : t({ message: 'Unmute', context: 'a person' })}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </QuerySection>
  )
}
