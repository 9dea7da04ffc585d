import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { DocumentLinks } from '../../lib/markdown/document-links.ts'
import { MarkdownRenderer } from '../../lib/markdown/markdown-renderer.ts'
import { decodeLoosely } from '../../lib/navigation/app-path.ts'
import { sanitiseHtml } from '../../lib/markdown/sanitise-html.ts'
import styles from './markdown-view.module.css'

interface MarkdownViewProps {
  readonly markdown: string
  readonly links: DocumentLinks
  /** A link into the app was clicked. */
  readonly onFollow: (address: string) => void
  /** The document is too long or could not be rendered. */
  readonly onFailed: (error: unknown) => void
  readonly label: string
  /** The id of the heading to start at. */
  readonly part?: string
}

/**
 * Renders a Markdown document. While a new text is rendered, the previous one stays. Load it lazily, to keep the
 * sanitiser out of the first view.
 */
export function MarkdownView({ markdown, links, onFollow, onFailed, label, part = '' }: MarkdownViewProps) {
  const renderer = useRenderer()
  const [html, setHtml] = useState<string | null>(null)
  useEffect(() => {
    if (renderer === undefined) return
    let current = true
    renderer.render(markdown).then(
      (raw) => current && setHtml(sanitiseHtml(raw, links)),
      (error: unknown) => current && onFailed(error),
    )
    return () => {
      current = false
    }
  }, [renderer, markdown, links, onFailed])
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    if (html !== null && part !== '' && article.current !== null) scrollToPart(article.current, `user-content-${part}`)
  }, [html, part])
  useEffect(() => {
    if (article.current !== null) makeScrollersFocusable(article.current)
  }, [html])
  const follow = (event: MouseEvent<HTMLElement>): void => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null
    const address = anchor?.getAttribute('href')
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (anchor === null || address == null || modified || anchor.target === '_blank') return
    event.preventDefault()
    if (address.startsWith('#')) scrollToPart(event.currentTarget, address.slice(1))
    else onFollow(address)
  }
  return (
    <article
      ref={article}
      className={styles['markdown']}
      aria-label={label}
      aria-busy={html === null}
      dir="auto"
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: html ?? '' }}
    />
  )
}

function useRenderer(): MarkdownRenderer | undefined {
  const [renderer, setRenderer] = useState<MarkdownRenderer>()
  useEffect(() => {
    const made = new MarkdownRenderer()
    setRenderer(made)
    return () => made.close()
  }, [])
  return renderer
}

/** Keys scroll only the focused element. */
function makeScrollersFocusable(article: HTMLElement): void {
  for (const wide of article.querySelectorAll<HTMLElement>('pre, table')) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
  }
}

function scrollToPart(article: HTMLElement, id: string): void {
  const ids = new Set([id, decodeLoosely(id)])
  const part = [...article.querySelectorAll('[id]')].find((element) => ids.has(element.id))
  part?.scrollIntoView()
}
