import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type { SearchFilters } from '@kinora/contract/watching/search.ts'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { categoryLabels } from '../../../lib/category-labels.ts'
import { languageOptions } from '../../../lib/metadata-choices.ts'
import { formatCount } from '../../../lib/format/counts.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './filter-bar.module.css'
import { withoutDefaults } from './search-filters.ts'

const choices = [
  {
    name: 'sort',
    label: msg`Sort by`,
    none: undefined,
    options: { relevance: msg`Relevance`, date: msg`Newest`, views: msg`Most watched` },
  },
  {
    name: 'published',
    label: msg`Published`,
    none: msg`Any time`,
    options: { day: msg`Last day`, week: msg`Last week`, month: msg`Last month`, year: msg`Last year` },
  },
  {
    name: 'length',
    label: msg`Length`,
    none: msg`Any length`,
    options: { short: msg`Under 4 minutes`, medium: msg`4 to 20 minutes`, long: msg`Over 20 minutes` },
  },
  {
    name: 'category',
    label: msg`Category`,
    none: msg`Any category`,
    options: categoryLabels,
  },
  {
    name: 'captions',
    label: msg`Captions`,
    none: msg`With or without`,
    options: { true: msg`With captions` },
  },
] as const

/** The number of results, and choices that narrow or order them behind a button; `children` stand beside it. */
export function FilterBar({
  total,
  filters,
  onChange,
  children,
}: {
  total: number | undefined
  filters: SearchFilters
  onChange: (filters: SearchFilters) => void
  children?: ReactNode
}) {
  const id = useId()
  const active = Object.keys(filters).length
  const [isOpen, setOpen] = useState(active > 0)
  return (
    <div className={styles['bar']}>
      <div className={styles['head']}>
        <p>
          {total !== undefined &&
            plural(total, { one: `${formatCount(total)} result`, other: `${formatCount(total)} results` })}
        </p>
        <div className={styles['buttons']}>
          {children}
          <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <Icon of={SlidersHorizontal} size={18} />
            {active > 0 ? t`Filters (${active})` : t`Filters`}
          </Button>
        </div>
      </div>
      <div id={id} className={styles['choices']} hidden={!isOpen}>
        {choices.map(({ name, label, none, options }) => (
          <Select
            key={name}
            label={i18n._(label)}
            value={filters[name] ?? ''}
            onChange={({ target }) =>
              onChange(withoutDefaults({ ...filters, [name]: target.value || undefined }))
            }
          >
            {none && <option value="">{i18n._(none)}</option>}
            {Object.entries(options).map(([value, text]) => (
              <option key={value} value={value === 'relevance' ? '' : value}>
                {i18n._(text)}
              </option>
            ))}
          </Select>
        ))}
        <Select
          label={t`Spoken language`}
          value={filters.language ?? ''}
          onChange={({ target }) =>
            onChange(withoutDefaults({ ...filters, language: target.value || undefined }))
          }
        >
          <option value="">{t`Any language`}</option>
          {languageOptions(filters.language ?? null).map(({ tag, label }) => (
            <option key={tag} value={tag}>
              {label}
            </option>
          ))}
        </Select>
        {active > 0 && (
          <Button className={styles['reset']} variant="bare" onClick={() => onChange({})}>{t`Reset`}</Button>
        )}
      </div>
    </div>
  )
}
