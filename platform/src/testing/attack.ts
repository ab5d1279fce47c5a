/**
 * Picks the size of an attack: `short` in `npm test`, which shows that a defence exists, and `full` in `npm run
 * test:abuse`, which shows how much it withstands.
 */
export function attackSize<Size>(sizes: { short: Size; full: Size }): Size {
  return process.env['ABUSE'] === 'full' ? sizes.full : sizes.short
}
