import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'
import styles from './button.module.css'

/** `solid` leads, `quiet` stands back, `bare` has no ground, `danger` destroys. */
export type ButtonVariant = 'solid' | 'quiet' | 'bare' | 'danger'

/** The look of a button, for links that act like one. */
export function buttonClass(variant: ButtonVariant = 'quiet', extra?: string): string {
  return classNames(styles['button'], styles[variant], extra)
}

/** The look of an icon button, for links; they need an `aria-label`. */
export function iconButtonClass(extra?: string): string {
  return classNames(styles['icon'], extra)
}

/** A text button, 44 px high. It submits nothing unless told to. */
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
