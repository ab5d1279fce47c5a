import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

/** A button that opens a dialog, which gets a function that closes it. */
export function DialogButton({
  label,
  children,
}: {
  label: string
  children: (close: () => void) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
