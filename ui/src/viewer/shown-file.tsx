import { type ComponentType, Suspense } from 'react'
import { useText } from '../i18n/use-text.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { ImageStage } from './image/image-stage.tsx'
import type { ViewKind } from './model/view-kind.ts'
import { NoPreview } from './no-preview.tsx'
import { PartBoundary } from './part-boundary.tsx'
import type { ViewedFile } from './viewed-file.ts'
import { StageNote } from './stage-note.tsx'
import { Waiting } from './waiting.tsx'

interface ShownFileProps extends ViewedFile {
  readonly kind: ViewKind
}

const PARTS: Readonly<Partial<Record<ViewKind, ComponentType<ViewedFile>>>> = {
  audio: lazyPart(async () => (await import('./media/audio-stage.tsx')).AudioStage),
  epub: lazyPart(async () => (await import('./book/book-stage.tsx')).BookStage),
  pdf: lazyPart(async () => (await import('./pdf/pdf-stage.tsx')).PdfStage),
  table: lazyPart(async () => (await import('./table/table-stage.tsx')).TableStage),
  video: lazyPart(async () => (await import('./media/video-stage.tsx')).VideoStage),
  markdown: lazyPart(async () => (await import('./text/markdown-stage.tsx')).MarkdownStage),
  text: lazyPart(async () => (await import('./text/text-stage.tsx')).TextStage),
}

/** The file by what it is. Whatever goes wrong inside of it stays inside of it: the bars and the way on remain. */
export function ShownFile({ kind, ...viewed }: ShownFileProps) {
  const t = useText()
  const Part = PARTS[kind]
  if (kind === 'image') return <ImageStage {...viewed} />
  if (Part === undefined) return <NoPreview {...viewed} />
  return (
    <PartBoundary
      fallback={(retry) => (
        <StageNote title={t('viewer.failed')} onRetry={retry}>
          {t('viewer.failedText')}
        </StageNote>
      )}
    >
      <Suspense fallback={<Waiting />}>
        <Part {...viewed} />
      </Suspense>
    </PartBoundary>
  )
}
