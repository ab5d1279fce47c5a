import { t } from '@lingui/core/macro'
import { Menu } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

const NavDrawer = lazy(async () => ({ default: (await import('./nav-drawer.tsx')).NavDrawer }))

/** Opens the main navigation as a drawer, on pages without a side nav. */
export function MenuButton({ className }: { className?: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton className={className} label={t`Menu`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon of={Menu} size={22} />
      </IconButton>
      {isOpen && (
        <Suspense>
          <NavDrawer onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
