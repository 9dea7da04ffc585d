import { useEffect } from 'react'
import { useProductName } from './config.tsx'

/** Names the page: the screen (or the folder) first, then the product. */
export function usePageTitle(name: string | undefined): void {
  const product = useProductName()
  useEffect(() => {
    document.title = name ? `${name} · ${product}` : product
  }, [name, product])
}
