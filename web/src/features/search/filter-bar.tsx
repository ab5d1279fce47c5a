import { categories } from '@kinora/contract/labels.ts'
import type { SearchFilters } from '@kinora/contract/search.ts'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { countOf } from '../../lib/format/counts.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './filter-bar.module.css'
import { withoutDefaults } from './search-filters.ts'

const choices = [
  {
    name: 'sort',
    label: 'Sort by',
    none: undefined,
    options: { relevance: 'Relevance', date: 'Newest', views: 'Most watched' },
  },
  {
    name: 'published',
    label: 'Published',
    none: 'Any time',
    options: { day: 'Last day', week: 'Last week', month: 'Last month', year: 'Last year' },
  },
  {
    name: 'length',
    label: 'Length',
    none: 'Any length',
    options: { short: 'Under 4 minutes', medium: '4 to 20 minutes', long: 'Over 20 minutes' },
  },
  {
    name: 'category',
    label: 'Category',
    none: 'Any category',
    options: categories,
  },
  { name: 'captions', label: 'Captions', none: 'With or without', options: { true: 'With captions' } },
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
        <p>{total !== undefined && countOf(total, 'result')}</p>
        <div className={styles['buttons']}>
          {children}
          <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <Icon of={SlidersHorizontal} size={18} />
            Filters{active > 0 && ` (${active})`}
          </Button>
        </div>
      </div>
      <div id={id} className={styles['choices']} hidden={!isOpen}>
        {choices.map(({ name, label, none, options }) => (
          <Select
            key={name}
            label={label}
            value={filters[name] ?? ''}
            onChange={({ target }) =>
              onChange(withoutDefaults({ ...filters, [name]: target.value || undefined }))
            }
          >
            {none && <option value="">{none}</option>}
            {Object.entries(options).map(([value, text]) => (
              <option key={value} value={value === 'relevance' ? '' : value}>
                {text}
              </option>
            ))}
          </Select>
        ))}
        {active > 0 && (
          <Button className={styles['reset']} variant="bare" onClick={() => onChange({})}>
            Reset
          </Button>
        )}
      </div>
    </div>
  )
}
