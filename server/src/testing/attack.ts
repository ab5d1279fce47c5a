/**
 * Picks the size of an attack: small in `npm test`, where it shows that a defence is in place, and `full` in
 * `npm run test:abuse`, where it shows how much the defence stands.
 */
export function attackSize<Size>(sizes: { short: Size; full: Size }): Size {
  return process.env['ABUSE'] === 'full' ? sizes.full : sizes.short
}
