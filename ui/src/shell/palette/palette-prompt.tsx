import { useId, useState, type KeyboardEvent } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { Keys } from '../../kit/keyboard/shortcuts.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { Spotlight } from '../../kit/dialog/spotlight.tsx'
import { walkList } from '../../lib/walk-list.ts'
import { findItems, readPaletteQuery, type PaletteItem } from './palette-item.ts'
import { PaletteList } from './palette-list.tsx'
import { type PaletteSurroundings, usePaletteItems } from './use-palette-items.ts'

type PalettePromptProps = PaletteSurroundings & PromptProps<PaletteItem>

const PAGE = 6

/** Where to go and what to do, by a few letters of its name. */
export function PalettePrompt({ close, ...around }: PalettePromptProps) {
  const t = useText()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const sections = findItems(usePaletteItems(readPaletteQuery(typed).text, around), typed)
  const all = sections.flatMap(({ items }) => items)
  // Folders that the server finds may come while one walks.
  const index = Math.min(active, all.length - 1)
  const chosen = all[index]?.item
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const target = walkList(event.key, { index, count: all.length, page: PAGE })
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
