import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { FOLDER_SCREENS } from '../../helpers/browser/screens/files-screens.ts'
import { PLACE_SCREENS } from '../../helpers/browser/screens/place-screens.ts'

checkEveryScreen([...FOLDER_SCREENS, ...PLACE_SCREENS])
