import { useCallback, useMemo, useState } from 'react'
import type { Resource } from '../../../src/domain/files/resource.ts'
import { childOf } from '../../../src/domain/files/virtual-path.ts'
import type { QuickLookProps } from '../files/list/commands/use-quick-look.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useText, useTextPart } from '../i18n/use-text.tsx'
import { Button, IconButton } from '../kit/button/button.tsx'
import { EmptyState } from '../kit/feedback/empty-state.tsx'
import { FileGlyph } from '../kit/icon/icon.tsx'
import { useShortcuts } from '../kit/keyboard/shortcuts.tsx'
import { FileName } from '../kit/text/names.tsx'
import { viewKindOf } from './file/view-kind.ts'
import type { ViewedFile, ViewerAction } from './file/viewed-file.ts'
import { useSlideshow } from './image/use-slideshow.ts'
import { SoundContext } from './media/sound-host.ts'
import { ShownFile } from './shown-file.tsx'
import styles from './quick-look.module.css'

/** A preview over the list. The list keeps the focus, so its keys walk from entry to entry. */
export function QuickLook(props: QuickLookProps) {
  useTextPart('tools')
  const { folder, entry, entries, onShow, onOpen, onClose } = props
  const t = useText()
  const slideshow = useSlideshow(entry, entries, onShow)
  const [playNext, setPlayNext] = useState(false)
  const autoplay = useMemo(() => ({ on: playNext, set: setPlayNext }), [playNext])
  useShortcuts([{ keys: 'Esc', label: t('kit.close'), group: 'move', run: onClose }])
  const path = childOf(folder, entry.name)
  return (
    <section className={styles['panel']} aria-label={`${t('files.quickLook')}: ${entry.name}`}>
      <header className={styles['head']}>
        <h2>
          <FileName name={entry.name} />
        </h2>
        <Button variant="ghost" onClick={onOpen}>
          {t('files.open')}
        </Button>
        <IconButton icon="x" label={t('kit.close')} onClick={onClose} />
      </header>
      <div className={styles['stage']}>
        {entry.isDir || entry.type === 'invalid_link' ? (
          <NoFile entry={entry} />
        ) : (
          // Songs end with the preview.
          <SoundContext value={undefined}>
            <File key={path} {...props} path={path} slideshow={slideshow} autoplay={autoplay} />
          </SoundContext>
        )}
      </div>
    </section>
  )
}

/** A folder, or a link that leads nowhere. */
function NoFile({ entry }: { readonly entry: Resource }) {
  const format = useFormat()
  return (
    <div className={styles['facts']}>
      <EmptyState
        art={<FileGlyph type={entry.isDir ? 'folder' : 'broken'} size={56} />}
        title={<FileName name={entry.name} />}
      >
        <bdi className="num">{format.dateTime(new Date(entry.modified))}</bdi>
      </EmptyState>
    </div>
  )
}

type FileProps = QuickLookProps & Pick<ViewedFile, 'path' | 'slideshow' | 'autoplay'>

function File({ entry, entries, onShow, onDownload, ...props }: FileProps) {
  const t = useText()
  const [damaged, setDamaged] = useState(false)
  const onDamaged = useCallback(() => setDamaged(true), [])
  const actions: ViewerAction[] =
    onDownload === undefined ? [] : [{ id: 'download', label: t('files.download'), icon: 'download', run: onDownload }]
  return (
    <ShownFile
      {...props}
      file={entry}
      entries={entries}
      kind={damaged ? 'none' : viewKindOf(entry)}
      damaged={damaged}
      actions={actions}
      onShow={onShow}
      onStep={(step) => {
        const next = entries[entries.findIndex(({ name }) => name === entry.name) + step]
        if (next !== undefined) onShow(next)
      }}
      onDamaged={onDamaged}
    />
  )
}
