import type { Page } from '@kinora/contract/endpoint.ts'
import type { InfiniteData } from '@tanstack/react-query'

/** Where a list begins: before its first page. */
export const firstPage: string | null = null

/** The query that asks for the page behind a cursor. */
export function pageQuery(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor }
}

/**
 * The items of all pages without duplicates: a page may repeat items that moved down after the previous request.
 * Invalid items are dropped.
 */
export function itemsOf<Item extends { _id: string }>(data: InfiniteData<Page<Item>> | undefined): Item[] {
  const byId = new Map(
    data?.pages.flatMap(({ items }) => items.filter(Boolean)).map((item) => [item._id, item]),
  )
  return [...byId.values()]
}
