import { dateLocale } from '../../../lib/i18n/language.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Info, PenLine } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { videosOf } from '../../../lib/format/counts.ts'
import { paths } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkifiedText } from '../../../ui/text/linkified-text.tsx'
import { profileQuery } from './api.ts'
import styles from './channel-summary.module.css'

const month = new Intl.DateTimeFormat(dateLocale, { month: 'short', year: 'numeric' })

/** A line of the header: number of videos, date joined, the beginning of the text, and for the owner the way to change it. */
export function ChannelSummary({
  username,
  fullname,
  isOwn,
}: {
  username: string
  fullname: string
  isOwn: boolean
}) {
  const { data: profile } = useQuery(profileQuery(username))
  const [isAboutOpen, setAboutOpen] = useState(false)
  const facts = profile && t`${videosOf(profile.videosCount)} · Joined ${joined(profile.joinedAt)}`
  return (
    <div className={styles['summary']} data-own={isOwn || undefined}>
      <div className={styles['facts']}>
        {facts}
        {profile?.about && <bdi>{profile.about}</bdi>}
      </div>
      {profile && (profile.about !== '' || profile.links.length > 0) && (
        <Button variant="bare" className={styles['control']} onClick={() => setAboutOpen(true)}>
          <Icon of={Info} size={18} />
          {t`About this channel`}
        </Button>
      )}
      {isOwn && (
        <>
          <Link className={buttonClass('bare', styles['control'])} to={paths.account('channel')}>
            <Icon of={PenLine} size={18} />
            {t`Customize channel`}
          </Link>
          <Link className={buttonClass('bare', styles['control'])} to={paths.analytics()}>
            <Icon of={ChartColumn} size={18} />
            {t`Analytics`}
          </Link>
        </>
      )}
      {isAboutOpen && profile && (
        <Dialog title={t`About ${fullname}`} onClose={() => setAboutOpen(false)} width={560}>
          {profile.about !== '' && (
            <p className={styles['about']}>
              <LinkifiedText text={profile.about} />
            </p>
          )}
          {profile.links.length > 0 && (
            <ul className={styles['links']} aria-label={t`Links`}>
              {profile.links.map((link) => (
                <li key={link}>
                  <a href={link} target="_blank" rel="noopener noreferrer nofollow ugc">
                    {shortLink(link)}
                  </a>
                </li>
              ))}
            </ul>
          )}
          <p className={styles['joined']}>{facts}</p>
        </Dialog>
      )}
    </div>
  )
}

const joined = (instant: string) => month.format(new Date(instant))

/** An address as people write it. */
const shortLink = (link: string) => link.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
