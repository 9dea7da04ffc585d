import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { Places } from '../../../api/own-account.ts'
import { useText } from '../../../i18n/use-text.tsx'
import type { MenuAction } from '../../../kit/menu/menu.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'

/** The menu entry that adds a folder to the favourites, or removes it. */
export function useFavourites({ favourites, save }: Places): (folder: VirtualPath) => MenuAction {
  const t = useText()
  const toasts = useToasts()
  return (folder) => {
    const marked = favourites.includes(folder)
    const change = marked ? favourites.filter((each) => each !== folder) : [...favourites, folder]
    return {
      label: t(marked ? 'shell.removeFavourite' : 'shell.addFavourite'),
      icon: marked ? 'star-on' : 'star',
      run: () => void save('favourites', change).catch(() => toasts.error(t('shell.favouriteNotSaved'))),
    }
  }
}
