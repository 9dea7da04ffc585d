import { Component, type ComponentType, type ReactNode } from 'react'
import { useText } from '../i18n/use-text.tsx'
import { lazyComponent } from '../kit/lazy-component.tsx'
import { ImageStage } from './image/image-stage.tsx'
import { NoPreview, StageNote, Waiting } from './placeholders.tsx'
import type { ViewKind } from './file/view-kind.ts'
import type { ViewedFile } from './file/viewed-file.ts'

interface ShownFileProps extends ViewedFile {
  readonly kind: ViewKind
}

const PARTS: Readonly<Partial<Record<ViewKind, ComponentType<ViewedFile>>>> = {
  audio: lazyComponent(async () => (await import('./media/audio-stage.tsx')).AudioStage, Waiting),
  document: lazyComponent(async () => (await import('./document/document-stage.tsx')).DocumentStage, Waiting),
  epub: lazyComponent(async () => (await import('./book/book-stage.tsx')).BookStage, Waiting),
  pdf: lazyComponent(async () => (await import('./pdf/pdf-stage.tsx')).PdfStage, Waiting),
  sheets: lazyComponent(async () => (await import('./table/sheet-stage.tsx')).SheetStage, Waiting),
  table: lazyComponent(async () => (await import('./table/table-stage.tsx')).TableStage, Waiting),
  video: lazyComponent(async () => (await import('./media/video-stage.tsx')).VideoStage, Waiting),
  markdown: lazyComponent(async () => (await import('./text/markdown-stage.tsx')).MarkdownStage, Waiting),
  text: lazyComponent(async () => (await import('./text/text-stage.tsx')).TextStage, Waiting),
}

/** Draws a file by its kind. An error inside leaves the bars and the navigation working. */
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
      <Part {...viewed} />
    </PartBoundary>
  )
}

interface PartBoundaryProps {
  /** Drawn in place of the children after an error. */
  readonly fallback: (retry: () => void) => ReactNode
  readonly children: ReactNode
}

/** Catches a viewer whose code does not load or that throws, so the rest of the page survives. */
class PartBoundary extends Component<PartBoundaryProps, { failed: boolean }> {
  override readonly state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(() => this.setState({ failed: false })) : this.props.children
  }
}
