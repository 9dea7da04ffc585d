import { useEffect, useRef, useState } from 'react'
import { editPicture } from '../../../../src/api/files/pictures.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { nameOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { problemOf } from '../../common/problem-text.ts'
import { Refusal } from '../../common/refusal.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { Segmented } from '../../kit/button/toggles.tsx'
import { ErrorNote } from '../../kit/feedback/note.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { useFileUrls } from '../file/file-source.ts'
import { type Picture, usePicture } from '../image/pictures.ts'
import { fitInto, turned } from '../image/zoom.ts'
import { StageNote, Waiting } from '../placeholders.tsx'
import { useElementSize } from '../use-element-size.ts'
import { type Crop, cropWithRatio, roundedCrop, turnedCrop, wholeOf } from './crop.ts'
import { CropFrame } from './crop-frame.tsx'
import styles from './picture-editor.module.css'

const RATIOS = { free: undefined, '1:1': 1, '4:3': 4 / 3, '16:9': 16 / 9 } as const
type RatioName = keyof typeof RATIOS

interface PictureEditorProps {
  readonly file: Resource
  readonly path: VirtualPath
  readonly onClose: () => void
  /** The copy was saved at this path. */
  readonly onSaved: (path: VirtualPath) => void
}

interface Edit {
  /** Quarter turns clockwise. */
  readonly turns: number
  /** Undefined keeps all. */
  readonly crop: Crop | undefined
  readonly ratio: number | undefined
  readonly name: RatioName
}

const UNCHANGED: Edit = { turns: 0, crop: undefined, ratio: undefined, name: 'free' }

/** Turns and crops a picture. The server saves a copy of it. */
export function PictureEditor({ file, path, onClose, onSaved }: PictureEditorProps) {
  const t = useText()
  const format = useFormat()
  const editor = useRef<HTMLElement>(null)
  const [edit, setEdit] = useState<Edit>(UNCHANGED)
  const { save, isSaving, problem } = useSaving(path, onSaved)
  // The original: its pixels are those that the server counts.
  const state = usePicture([useFileUrls().raw(path)])
  const shown = state.kind === 'shown' ? state.picture : undefined
  const picture = turned(shown?.dimensions ?? { width: 0, height: 0 }, edit.turns)
  const crop = edit.crop ?? wholeOf(picture)
  const part = roundedCrop(crop, picture)
  const isChanged = edit.turns !== 0 || part !== undefined
  const turn = (clockwise: boolean): void => {
    setEdit({
      ...edit,
      turns: (edit.turns + (clockwise ? 1 : 3)) % 4,
      crop: edit.crop && turnedCrop(edit.crop, clockwise, picture),
      ratio: edit.ratio && 1 / edit.ratio,
    })
  }
  const choose = (name: RatioName): void => {
    const wide = RATIOS[name]
    // For an upright part, 4:3 means 3:4.
    const ratio = wide === undefined ? undefined : crop.width >= crop.height ? wide : 1 / wide
    setEdit({ ...edit, name, ratio, crop: ratio === undefined ? edit.crop : cropWithRatio(crop, ratio, picture) })
  }
  useShortcuts([{ keys: 'Esc', label: t('kit.close'), group: 'move', run: onClose }])
  useEffect(() => editor.current?.focus(), [])
  return (
    <section ref={editor} className={styles['editor']} aria-label={t('crop.title')} data-viewer="" tabIndex={-1}>
      <header className={styles['bar']}>
        <IconButton icon="x" label={t('kit.close')} aria-keyshortcuts="Escape" onClick={onClose} />
        <h1 title={file.name}>
          <FileName name={file.name} />
        </h1>
        <span className="grow" />
        <Button
          variant="primary"
          icon="save"
          progress={isSaving ? 'busy' : 'idle'}
          disabled={!isChanged || shown === undefined}
          onClick={() => void save({ turns: edit.turns, ...(part && { crop: part }) })}
        >
          {t('crop.save')}
        </Button>
      </header>
      {problem !== undefined && (
        <div className={styles['problem']}>
          <ErrorNote>{problem}</ErrorNote>
        </div>
      )}
      {shown === undefined ? (
        <div className={styles['stage']}>
          {state.kind === 'failed' ? (
            <StageNote title={t('viewer.failed')}>{t('viewer.damaged')}</StageNote>
          ) : (
            <Waiting />
          )}
        </div>
      ) : (
        <Stage picture={shown} edit={edit} crop={crop} onChange={(next) => setEdit({ ...edit, crop: next })} />
      )}
      <Toolbar label={t('crop.title')} className={styles['tools']}>
        <IconButton
          className={styles['mirrored']}
          icon="rotate"
          label={t('crop.turnLeft')}
          onClick={() => turn(false)}
        />
        <IconButton icon="rotate" label={t('crop.turnRight')} onClick={() => turn(true)} />
        <Segmented
          label={t('crop.ratio')}
          options={(Object.keys(RATIOS) as RatioName[]).map((value) => {
            return { value, label: value === 'free' ? t('crop.free') : value }
          })}
          value={edit.name}
          onChange={choose}
        />
        <output className={styles['size']} dir="ltr">
          {shown && `${format.number(Math.round(crop.width))} × ${format.number(Math.round(crop.height))}`}
        </output>
        <Button variant="ghost" disabled={!isChanged} onClick={() => setEdit(UNCHANGED)}>
          {t('crop.reset')}
        </Button>
      </Toolbar>
    </section>
  )
}

interface StageProps {
  readonly picture: Picture
  readonly edit: Edit
  readonly crop: Crop
  readonly onChange: (crop: Crop) => void
}

/** Room for the handles around the picture. */
const MARGIN = 24

function Stage({ picture: { address, dimensions }, edit, crop, onChange }: StageProps) {
  const place = useRef<HTMLDivElement>(null)
  const box = useElementSize(place)
  const picture = turned(dimensions, edit.turns)
  const room = { width: Math.max(0, box.width - 2 * MARGIN), height: Math.max(0, box.height - 2 * MARGIN) }
  const fitted = fitInto(picture, room, false)
  const upright = turned(fitted, edit.turns)
  const scale = picture.width === 0 ? 0 : fitted.width / picture.width
  return (
    <div ref={place} className={styles['stage']}>
      <div className={styles['picture']} style={{ inlineSize: fitted.width, blockSize: fitted.height }}>
        <img
          src={address}
          alt=""
          draggable={false}
          style={{ inlineSize: upright.width, blockSize: upright.height, rotate: `${edit.turns * 90}deg` }}
        />
        {scale > 0 && <CropFrame crop={crop} picture={picture} ratio={edit.ratio} scale={scale} onChange={onChange} />}
      </div>
    </div>
  )
}

/** Unknown contents of a file, such as an animation. */
const UNSUPPORTED = 415

function useSaving(path: VirtualPath, onSaved: (path: VirtualPath) => void) {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>()
  const save = async (body: { readonly turns: number; readonly crop?: Crop }): Promise<void> => {
    setSaving(true)
    setError(undefined)
    try {
      const made = await client.call(editPicture, { params: { '*': path }, body })
      toasts.success(t('crop.saved', { name: nameOf(made.path as VirtualPath) }))
      onSaved(made.path as VirtualPath)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSaving(false)
    }
  }
  const isUnsupported = error instanceof ApiError && error.status === UNSUPPORTED
  const problem =
    error === undefined ? undefined : isUnsupported ? t('crop.unsupported') : <Refusal problem={problemOf(error)} />
  return { save, isSaving, problem }
}
