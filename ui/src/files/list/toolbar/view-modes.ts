import type { MessageId } from '../../../i18n/use-text.tsx'
import type { IconName } from '../../../kit/icon/icon.tsx'
import type { ViewMode } from '../grid/grid-metrics.ts'

export const VIEW_MODES: readonly { value: ViewMode; icon: IconName; label: MessageId }[] = [
  { value: 'list', icon: 'list', label: 'files.viewList' },
  { value: 'mosaic', icon: 'grid', label: 'files.viewMosaic' },
  { value: 'mosaic gallery', icon: 'gallery', label: 'files.viewGallery' },
]
