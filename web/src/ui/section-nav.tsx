import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import styles from './section-nav.module.css'

/** A section of a place of the site, and the parts that it has itself. */
export interface Section {
  label: string
  to: string
  /** Number of things that wait there. */
  count?: number | undefined
  parts?: readonly Section[]
}

/**
 * Tabs of the sections of a place, and below them links to the parts of the open one. Addresses below that of a section
 * belong to it. A row that does not fit scrolls, and fades where it is cut.
 */
export function SectionNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const { pathname } = useLocation()
  const address = (section: Section): string[] => [section.to, ...(section.parts ?? []).flatMap(address)]
  const current = openSection(
    sections.flatMap((section) => address(section).map((to) => ({ section, to }))),
    pathname,
  )?.section
  const parts = current?.parts ?? []
  return (
    <>
      <Tabs label={label} sections={sections} current={current} />
      {current && parts.length > 0 && (
        <nav className={styles['parts']} aria-label={current.label}>
          {parts.map((part) => (
            <SectionLink key={part.to} section={part} isOpen={openSection(parts, pathname) === part} />
          ))}
        </nav>
      )}
    </>
  )
}

/** A row of tabs, one of which is open. Links of a page keep its place. */
function Tabs({
  label,
  sections,
  current,
}: {
  label: string
  sections: readonly Section[]
  current: Section | undefined
}) {
  const ref = useRef<HTMLElement>(null)
  const at = current ? sections.indexOf(current) : -1
  const count = sections.length

  // Scrolls the open tab into view on phones. Only the row scrolls, never the page.
  useEffect(() => {
    const row = ref.current
    const tab = row?.children[at]
    if (row && tab instanceof HTMLElement)
      row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
  }, [at])

  useEffect(() => {
    const row = ref.current
    if (!row) return
    const updateOverflow = () => {
      // Negative from right to left.
      const hiddenBefore = Math.abs(row.scrollLeft)
      const hiddenAfter = row.scrollWidth - row.clientWidth - hiddenBefore
      row.toggleAttribute('data-more-before', hiddenBefore > 1)
      row.toggleAttribute('data-more-after', hiddenAfter > 1)
    }
    const observer = new ResizeObserver(updateOverflow)
    // The row resizes with the window, the tabs with the font and their number.
    for (const element of [row, ...row.children]) observer.observe(element)
    row.addEventListener('scroll', updateOverflow, { passive: true })
    return () => {
      observer.disconnect()
      row.removeEventListener('scroll', updateOverflow)
    }
    // Other tabs trigger the effect, which reads them from the page.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [count])

  return (
    <nav ref={ref} className={styles['tabs']} aria-label={label}>
      {sections.map((section) => (
        <SectionLink key={section.to} section={section} isOpen={section === current} />
      ))}
    </nav>
  )
}

function SectionLink({ section: { label, to, count = 0 }, isOpen }: { section: Section; isOpen: boolean }) {
  return (
    <Link to={to} data-label={label} aria-current={isOpen ? 'page' : undefined} preventScrollReset>
      {label}
      {count > 0 && <Count>{count}</Count>}
    </Link>
  )
}

function Count({ children }: { children: ReactNode }) {
  return <span className={styles['count']}> {children}</span>
}

/** The one whose address is the longest beginning of the path. */
function openSection<S extends { to: string }>(sections: readonly S[], pathname: string): S | undefined {
  const path = `${pathname.toLowerCase().replace(/\/$/, '')}/`
  return sections
    .filter(({ to }) => path.startsWith(`${to.split('?', 1)[0]?.toLowerCase()}/`))
    .toSorted((one, other) => other.to.length - one.to.length)[0]
}
