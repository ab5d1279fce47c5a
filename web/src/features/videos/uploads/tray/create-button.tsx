import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { buttonClass } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'

/** Lets signed-in people choose video files on any page. */
export function CreateButton({
  label = t`Create`,
  className,
  onClick,
}: {
  label?: string
  className?: string | undefined
  onClick?: () => void
}) {
  return (
    <button
      type="button"
      className={clsx(buttonClass('solid'), className)}
      onClick={() => {
        void import('./tray-files.ts').then(({ chooseVideos, showFiles }) => chooseVideos(showFiles))
        onClick?.()
      }}
    >
      <Icon of={Plus} />
      <span>{label}</span>
    </button>
  )
}
