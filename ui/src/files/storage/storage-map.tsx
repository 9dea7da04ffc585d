import { useMemo, type MouseEvent } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { classNames } from '../../lib/class-names.ts'
import { kindOfName } from '../../lib/file-kind.ts'
import { plainName } from '../../lib/plain-name.ts'
import { shownParts, type StoragePart } from './storage-parts.ts'
import styles from './storage-map.module.css'
import { treeMap } from './tree-map.ts'

/** Width by height, as in the style sheet. */
const ASPECT = 1.6

interface StorageMapProps {
  readonly parts: readonly StoragePart[]
  readonly onOpen: (part: StoragePart) => void
}

/** The picture of the list beside it, for pointers: screen readers and keys have the list. */
export function StorageMap({ parts, onOpen }: StorageMapProps) {
  const t = useText()
  const format = useFormat()
  const shown = useMemo(() => shownParts(parts), [parts])
  const boxes = useMemo(
    () =>
      treeMap(
        shown.map(({ bytes }) => bytes),
        ASPECT,
      ),
    [shown],
  )
  const open = ({ target }: MouseEvent<HTMLElement>): void => {
    const tile = target instanceof Element ? target.closest<HTMLElement>('[data-tile]') : null
    const part = shown[Number(tile?.dataset['tile'])]
    if (part !== undefined && part.kind !== 'rest') onOpen(part)
  }
  return (
    <div className={styles['map']} aria-hidden="true" onClick={open}>
      {shown.map((part, index) => {
        const { x = 0, y = 0, width = 0, height = 0 } = boxes[index] ?? {}
        const name = part.kind === 'rest' ? t('storage.rest', { count: part.count }) : plainName(part.name)
        return (
          <div
            key={`${part.kind} ${part.name}`}
            data-tile={index}
            className={classNames(styles['tile'], styles[part.kind])}
            title={`${name} · ${format.bytes(part.bytes)}`}
            style={{
              insetInlineStart: `${x}%`,
              insetBlockStart: `${y}%`,
              inlineSize: `${width}%`,
              blockSize: `${height}%`,
              ...(part.kind === 'file' && { '--tint': tintOf(part.name) }),
            }}
          >
            <div>
              <bdi className="clip">{name}</bdi>
              <bdi className="clip">{format.bytes(part.bytes)}</bdi>
            </div>
          </div>
        )
      })}
    </div>
  )
}

const TINTED = new Set(['image', 'video', 'audio', 'pdf', 'text', 'archive'])

function tintOf(name: string): string {
  const kind = kindOfName(name) ?? 'other'
  return `var(--ft-${TINTED.has(kind) ? kind : 'other'})`
}
