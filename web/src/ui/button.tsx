import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import styles from './button.module.css'

/** `solid` primary, `quiet` secondary, `bare` without background, `danger` destructive. */
export type ButtonVariant = 'solid' | 'quiet' | 'bare' | 'danger'

/** Class names of a button, for links styled as one. */
export function buttonClass(variant: ButtonVariant = 'quiet', extra?: string): string {
  return clsx(styles['button'], styles[variant], extra)
}

/** Class names of an icon button, for links; they need an `aria-label`. */
export function iconButtonClass(extra?: string): string {
  return clsx(styles['icon'], extra)
}

/** A text button, 44 px high; of type `button` by default. */
export function Button({
  variant = 'quiet',
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { variant?: ButtonVariant }) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />
}

/** A square button that holds only an icon; its label is required. */
export function IconButton({
  label,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return <button type={type} aria-label={label} className={iconButtonClass(className)} {...rest} />
}
