// Whether "/", where the ordering ends on computers, is blocked on this device. The build has none.
import { decideDevice } from "../../kit/device.js";

export const isHomeBlocked = () => !import.meta.env.SSR && decideDevice(new URLSearchParams()).isBlocked;
