import { useId, useState, type KeyboardEvent, useEffect, useRef } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { Keys } from '../../kit/keyboard/shortcuts.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { Spotlight } from '../../kit/dialog/spotlight.tsx'
import type { TypedAhead } from '../../kit/dialog/typing-ahead.tsx'
import { nextListIndex } from '../../lib/next-list-index.ts'
import { findItems, readPaletteQuery, type PaletteItem, type FoundItem, type FoundSection } from './palette-item.ts'
import { type PaletteContext, usePaletteItems } from './use-palette-items.ts'
import { FileGlyph, Icon } from '../../kit/icon/icon.tsx'
import { platformKeys } from '../../lib/shortcut-keys.ts'
import styles from './palette.module.css'

export type PalettePromptProps = PaletteContext & PromptProps<PaletteItem> & { readonly ahead: TypedAhead }

const PAGE = 6

/** Finds places and actions by a few letters of their names. */
export function PalettePrompt({ close, ahead, ...context }: PalettePromptProps) {
  const t = useText()
  const listId = useId()
  const [typed, setTyped] = useState(ahead.text)
  const [active, setActive] = useState(0)
  const sections = findItems(usePaletteItems(readPaletteQuery(typed).text, context), typed)
  const all = sections.flatMap(({ items }) => items)
  // The list may shrink while the user moves through it, because the server is still searching.
  const index = Math.min(active, all.length - 1)
  const chosen = all[index]?.item
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const target = nextListIndex(event.key, { index, count: all.length, page: PAGE })
    if (target !== undefined) setActive(target)
    else if (event.key === 'Enter') close(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Spotlight
      title={t('palette.title')}
      icon="command"
      listId={listId}
      activeId={chosen && `${listId}-${index}`}
      field={{
        'aria-label': t('palette.field'),
        placeholder: t('palette.field'),
        value: typed,
        maxLength: 200,
        onChange: (event) => {
          setTyped(event.target.value)
          setActive(0)
        },
        onKeyDown: handleKeyDown,
      }}
      end={<IconButton icon="x" label={t('kit.close')} onClick={() => close()} />}
      footer={<Hints />}
      ahead={ahead}
      onClose={() => close()}
    >
      <PaletteList id={listId} sections={sections} active={index} onPoint={setActive} onChoose={close} />
    </Spotlight>
  )
}

function Hints() {
  const t = useText()
  return (
    <>
      <Hint keys="↑+↓" text={t('palette.move')} />
      <Hint keys="Enter" text={t('palette.run')} />
      <span className="grow" />
      <Hint keys=">" text={t('palette.actionsOnly')} />
      <Hint keys="/" text={t('palette.foldersOnly')} />
    </>
  )
}

function Hint({ keys, text }: { readonly keys: string; readonly text: string }) {
  return (
    <span className="only-wide">
      <Keys keys={keys} />
      {text}
    </span>
  )
}

interface PaletteListProps {
  readonly id: string
  readonly sections: readonly FoundSection[]
  readonly active: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (item: PaletteItem) => void
}

export function PaletteList({ id, sections, active, onPoint, onChoose }: PaletteListProps) {
  const t = useText()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  if (sections.length === 0) return <p className={styles['none']}>{t('palette.none')}</p>
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
                onChoose={() => onChoose(found.item)}
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
  readonly onChoose: () => void
}

function Option({ id, found: { item, match }, active, onPoint, onChoose }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      className={styles['option']}
      aria-selected={active}
      // Not `onMouseEnter`: a list that scrolls under a resting pointer keeps its active option.
      onMouseMove={active ? undefined : onPoint}
      onClick={onChoose}
    >
      {item.icon === 'folder' ? <FileGlyph type="folder" size={20} /> : <Icon name={item.icon} />}
      <bdi className="clip">
        <Marked text={item.label} ranges={match.ranges} />
      </bdi>
      <span className={styles['end']}>
        {item.detail !== undefined && <bdi className="clip">{item.detail}</bdi>}
        {item.keys && <Keys keys={platformKeys(item.keys)} />}
      </span>
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
