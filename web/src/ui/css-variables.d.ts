import 'react'

// React types know no custom properties; parts hand measures to their stylesheets through them.
declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined
  }
}
