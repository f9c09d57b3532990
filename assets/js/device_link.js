// Enrols the device that opened a link. A script does it, because the services that show previews of
// links open them too, and would use them up.
document.getElementById("enrol").submit();
