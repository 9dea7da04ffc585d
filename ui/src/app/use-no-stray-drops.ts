import { useEffect } from 'react'

/** A file dropped where nothing takes it, such as before the listing has loaded, must not replace the page. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const listening = new AbortController()
    const refuse = (event: DragEvent): void => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      // A drop zone further on says otherwise.
      event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', refuse, listening)
    addEventListener('drop', refuse, listening)
    return () => listening.abort()
  }, [])
}
