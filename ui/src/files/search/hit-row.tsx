import { memo, useState } from 'react'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { lastSegment } from '../../lib/app-path.ts'
import { classNames } from '../../lib/class-names.ts'
import { glyphOf } from '../actions/glyph-of.ts'
import type { NamePart } from './highlight.ts'
import styles from './search.module.css'
import type { FoundEntry } from './search-run.ts'
import { toFileItem } from './to-file-item.ts'

export interface HitRowProps {
  readonly id: string
  readonly entry: FoundEntry
  readonly index: number
  readonly count: number
  readonly start: number
  readonly active: boolean
  readonly selected: boolean
  /** "Camera / tests", from the folder that was searched. */
  readonly place: string
  readonly picture: string | undefined
  /** "6.2 MiB" and "3 days ago", with the exact time; empty where they are not known. */
  readonly size: string
  readonly when: string
  readonly exact: string
  readonly highlight: (name: string) => readonly NamePart[]
}

/** One thing that was found. Clicks are handled by the list. */
export const HitRow = memo(function HitRow(props: HitRowProps) {
  const { id, entry, index, count, start, active, selected, place, picture, size, when, exact, highlight } = props
  const name = lastSegment(entry.path)
  return (
    <div
      id={id}
      role="option"
      className={classNames(styles['hit'], active && styles['active'])}
      style={{ transform: `translateY(${start}px)` }}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-hit={index}
      title={entry.path}
    >
      <Glyph entry={entry} picture={picture} />
      <span className={styles['text']}>
        <bdi className={classNames('clip', styles['name'])}>
          {highlight(name).map(({ text, hit }, part) => (hit ? <mark key={part}>{text}</mark> : text))}
        </bdi>
        <bdi className={classNames('clip', styles['place'])}>{place}</bdi>
      </span>
      <span className={styles['meta']}>
        <bdi>{size}</bdi>
        <time dateTime={entry.details?.modified} title={exact}>
          {when}
        </time>
      </span>
    </div>
  )
})

interface GlyphProps {
  readonly entry: FoundEntry
  readonly picture: string | undefined
}

function Glyph({ entry, picture }: GlyphProps) {
  const [broken, setBroken] = useState<string>()
  if (picture !== undefined && picture !== broken) {
    return <img className={styles['picture']} src={picture} alt="" loading="lazy" onError={() => setBroken(picture)} />
  }
  return <FileGlyph type={glyphOf(toFileItem(entry))} size={32} />
}

/** The place of the hit under a pointer. */
export function hitAt({ target }: { readonly target: EventTarget | null }): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-hit]') : null
  return row === null ? undefined : Number(row.dataset['hit'])
}
