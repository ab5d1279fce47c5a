import 'react'

// React's types lack custom properties, through which components pass measures to their style sheets.
declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined
  }
}
