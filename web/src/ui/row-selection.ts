/** State and changes of the checkboxes of a table: one of each row, and one of all rows. */
export function rowSelection(
  ids: readonly string[],
  selected: ReadonlySet<string>,
  onSelect: (ids: ReadonlySet<string>) => void,
) {
  const isAllSelected = ids.length > 0 && ids.every((id) => selected.has(id))
  return {
    isAllSelected,
    toggleAll: () => onSelect(new Set(isAllSelected ? [] : ids)),
    toggle: (id: string) => {
      const next = new Set(selected)
      if (!next.delete(id)) next.add(id)
      onSelect(next)
    },
  }
}
