import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { categoryLabels } from '../../../../lib/category-labels.ts'
import { settings } from '../../../../lib/settings.ts'
import { paths } from '../../../../paths.ts'
import { categoriesQuery } from './api.ts'
import styles from './browse-links.module.css'

/** Ways to look through the videos of the site, in one row that scrolls where it does not fit. */
export function BrowseLinks() {
  const { data: categories = [] } = useQuery(categoriesQuery)
  const row = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  const entries = [
    { label: t`Newest`, to: paths.home() },
    { label: t`Popular`, to: paths.popular() },
    ...(settings.live ? [{ label: t`Live`, to: paths.live() }] : []),
    ...categories.map((category) => ({
      label: i18n._(categoryLabels[category]),
      to: paths.category(category),
    })),
    { label: t`Channels`, to: paths.channels() },
  ]
  const current = entries.findIndex(({ to }) => to === pathname)

  // Scrolls the current one into view on phones. Only the row scrolls, never the page.
  useEffect(() => {
    const list = row.current
    const entry = list?.children[current]
    if (list && entry instanceof HTMLElement)
      list.scrollLeft = entry.offsetLeft - (list.clientWidth - entry.offsetWidth) / 2
  }, [current])

  return (
    <ul ref={row} className={styles['links']} aria-label={t`Browse`}>
      {entries.map(({ label, to }) => (
        <li key={to}>
          <NavLink to={to} end>
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
