import { type MouseEvent, useEffect, useRef } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { FileGlyph, Icon } from '../../kit/icon/icon.tsx'
import { Keys } from '../../kit/keyboard/shortcuts.tsx'
import { platformKeys } from '../../lib/shortcut-keys.ts'
import type { FoundItem, FoundSection, PaletteItem } from './palette-item.ts'
import styles from './palette.module.css'

/** @param folder shows the item in its folder instead */
export type Choose = (item: PaletteItem, folder: boolean) => void

interface PaletteListProps {
  readonly id: string
  readonly sections: readonly FoundSection[]
  readonly active: number
  readonly onPoint: (index: number) => void
  readonly onChoose: Choose
}

export function PaletteList({ id, sections, active, onPoint, onChoose }: PaletteListProps) {
  const t = useText()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const firsts = sections.map((_, section) =>
    sections.slice(0, section).reduce((sum, { items }) => sum + items.length, 0),
  )
  return (
    // The field keeps the focus.
    <div
      ref={list}
      id={id}
      role="listbox"
      className={styles['list']}
      aria-label={t('palette.title')}
      onMouseDown={(event) => event.preventDefault()}
    >
      {sections.map(({ heading, items }, section) => (
        <div key={heading} role="group" aria-labelledby={`${id}-section-${section}`}>
          <div id={`${id}-section-${section}`} className={styles['heading']} role="presentation">
            <bdi className="clip">{heading}</bdi>
          </div>
          {items.map((found, step) => {
            const index = (firsts[section] ?? 0) + step
            return (
              <Option
                key={found.item.id}
                id={`${id}-${index}`}
                found={found}
                active={index === active}
                onPoint={() => onPoint(index)}
                onChoose={(folder) => onChoose(found.item, folder)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly found: FoundItem
  readonly active: boolean
  readonly onPoint: () => void
  readonly onChoose: (folder: boolean) => void
}

function Option({ id, found: { item, match }, active, onPoint, onChoose }: OptionProps) {
  const t = useText()
  const choose = ({ target, altKey }: MouseEvent) => {
    onChoose(altKey || (target instanceof Element && target.closest('[data-show]') !== null))
  }
  return (
    <div
      id={id}
      role="option"
      className={styles['option']}
      aria-selected={active}
      aria-keyshortcuts={item.openFolder && 'Alt+Enter'}
      // Not `onMouseEnter`: a list that scrolls under a resting pointer keeps its active option.
      onMouseMove={active ? undefined : onPoint}
      onClick={choose}
    >
      {item.glyph ? <FileGlyph type={item.glyph} size={20} /> : <Icon name={item.icon ?? 'command'} size={20} />}
      <bdi className="clip">
        <Marked text={item.label} ranges={match.ranges} />
      </bdi>
      <span className={styles['end']}>
        {item.detail !== undefined && <bdi className="clip">{item.detail}</bdi>}
        {item.keys && <Keys keys={platformKeys(item.keys)} />}
      </span>
      {item.openFolder && (
        // For pointers: an option has no buttons.
        <span className={styles['show']} title={t('search.openFolder')} data-show>
          <Icon name="folder" size={16} />
        </span>
      )}
    </div>
  )
}

interface MarkedProps {
  readonly text: string
  readonly ranges: FoundItem['match']['ranges']
}

function Marked({ text, ranges }: MarkedProps) {
  const starts = [0, ...ranges.map(([, end]) => end)]
  return starts.map((start, index) => {
    const range = ranges[index]
    return (
      <span key={start}>
        {text.slice(start, range?.[0])}
        {range && <b>{text.slice(...range)}</b>}
      </span>
    )
  })
}
